# SPDX-License-Identifier: MIT
"""Training, scoring, figures."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Union

from . import _dodona
from ._doc import Sentence

Sentences = Union[str, os.PathLike, Iterable[Sentence]]


class Progress(NamedTuple):
    """How far the training is."""

    phase: str  # tokenizer, tagger, jackknife, train, dev; iteration: one has ended
    done: int  # sentences of this phase
    total: int  # 0: not known
    tokens: int  # words of this phase so far
    iteration: int  # from 1
    iterations: int
    las: float  # on dev when an iteration has ended; -1: not measured
    uas: float


class TrainResult(NamedTuple):
    """What came of a training."""

    crossing: int  # training trees that the system can't reach
    skipped: int  # of these, those that were left out
    given_up: int  # times that a sentence was beyond the limits of the oracle
    tied: int  # times that there were too many cycles to count
    too_long: int  # sentences that were too long for exact search, and left out
    resumed: int  # iterations that were taken from a checkpoint
    best: int  # iteration that the model is from
    uas: float  # on dev; -1: no dev
    las: float


def train(
    *,
    train: Sentences,
    model: str | os.PathLike,
    dev: Sentences | None = None,
    progress: Callable[[Progress], Any] | bool | None = None,
    **options: Any,
) -> TrainResult:
    """Trains a parser and writes its model file.

    train and dev are files or sentences.  Options are those of `dodona train`, with underscores:
    system, learner, search, beam, oracle, pipeline, iterations, seed, model_mb ...  progress is
    called now and then, and stops the work when it raises or returns true; True shows a bar, by tqdm
    where that is installed.  A run that was stopped goes on where it was when it is called again.
    """
    notes = options.get("notes")
    if isinstance(notes, Mapping):
        options["notes"] = "".join(f"{key}: {value}\n" for key, value in notes.items())
    shown = _Bar() if progress is True else None
    call = shown or (progress if callable(progress) else None)
    if progress not in (None, True, False) and call is None:
        raise TypeError("progress is neither callable nor a bool")
    report = None if call is None else lambda now: call(Progress(**now))
    try:
        return TrainResult(**_dodona.train(options, train, dev, model, report))
    finally:
        if shown:
            shown.close()


class _Bar:
    """A tqdm bar for each iteration, or nothing where tqdm is not installed."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm: Any = tqdm
        self._bar: Any = None
        self._at: Any = None

    def __call__(self, now: Progress) -> None:
        if self._tqdm is None:
            return
        if now.phase == "iteration":
            self._tqdm.write(f"iteration {now.iteration}: LAS {now.las:.2f} UAS {now.uas:.2f}")
            return
        if self._at != (now.phase, now.iteration):
            self.close()
            self._at = now.phase, now.iteration
            self._bar = self._tqdm(
                total=now.total or None, desc=f"{now.phase} {now.iteration}/{now.iterations}"
            )
        self._bar.update(now.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class Scores(dict):
    """The scores by name, as `dodona eval --json` prints them: scores["LAS"]["f1"].
    str(scores) is the table that `dodona eval` prints."""

    def __init__(self, values: Mapping[str, Any], table: str) -> None:
        super().__init__(values)
        self._table = table

    def __str__(self) -> str:
        return self._table

    def __reduce__(self) -> tuple:
        return Scores, (dict(self), self._table)


def evaluate(gold: Sentences, system: Sentences, *others: Sentences, **options: Any) -> Scores:
    """Scores a system, or several, against gold: files or sentences.  Options are those of
    `dodona eval`: no_punct, analysis, trials, seed, trace."""
    import json

    printed, table = _dodona.evaluate(options, (gold, system, *others))
    return Scores(json.loads(printed), table)


def stats(sentences: Sentences) -> dict[str, Any]:
    """A treebank in figures, as `dodona stats --json` prints them."""
    import json

    return json.loads(_dodona.stats(sentences, _name(sentences)))


def _name(sentences: Sentences) -> str:
    if isinstance(sentences, (str, bytes, os.PathLike)):
        return os.fsdecode(sentences).replace("\0", "")
    return "sentences"
