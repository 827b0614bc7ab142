# SPDX-License-Identifier: MIT
"""Models: text in, documents out."""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Mapping, Sequence

from . import _dodona
from ._doc import Doc, Sentence

_STEPS = {"tokenize": 1, "tag": 2, "parse": 4}
_BATCH_TEXTS, _BATCH_CHARACTERS = 64, 50_000  # that a thread parses at a time


_MODELS = os.path.join(os.path.dirname(__file__), "models")  # those that came with the package


def _steps(steps: str | Iterable[str] | None) -> int:
    names = steps.split(",") if isinstance(steps, str) else steps or ()
    mask = 0
    for name in names:
        if name not in _STEPS:
            raise ValueError(f"there is no step {name!r}; expected tokenize, tag and parse")
        mask |= _STEPS[name]
    return mask


class Model:
    """A model, which threads may share.  Calling it parses a text.

    Options are those of `dodona parse`, with underscores: search, decoder, beam, exact_limit, kbest,
    confidence, roots_many ("one" or "many"), keep_deps, steps, forest.  They hold for whatever is
    parsed; with_options gives the same model with other ones.
    """

    def __init__(self, model: str | os.PathLike = "english", **options: Any) -> None:
        path = os.fsdecode(model)
        if os.path.exists(path):
            path = os.path.abspath(path)
        self._open(_dodona.Model.open(_MODELS, path), path, options)

    def _open(self, model: _dodona.Model, path: str, options: dict[str, Any]) -> None:
        self._model = model
        self.path = path
        self.options = options
        self._parsers: dict[tuple, _dodona.Parser] = {}
        self._parser()

    def with_options(self, **options: Any) -> Model:
        """The same model, parsing with these options besides those that it has."""
        other = Model.__new__(Model)
        other._open(self._model, self.path, {**self.options, **options})
        return other

    def _parser(self, **more: Any) -> _dodona.Parser:
        options = {k: v for k, v in {**self.options, **more}.items() if v is not None}
        steps, forest = _steps(options.pop("steps", None)), bool(options.pop("forest", False))
        key = (steps, forest, *sorted(options.items()))
        parser = self._parsers.get(key)
        if parser is None:
            parser = self._parsers[key] = _dodona.Parser(self._model, options, steps, forest)
        return parser

    def __call__(self, text: str) -> Doc:
        """The document of a text: split into sentences and words, tagged and parsed."""
        return _doc(self._parser().texts((text,), "text", Sentence)[0], text)

    def pipe(
        self,
        texts: Iterable[str],
        threads: int = 1,
        *,
        errors: str = "raise",
        input: str = "text",
    ) -> Iterator[Doc]:
        """The documents of many texts, in their order, as they are asked for.

        The texts are taken from the iterable a batch at a time, by the caller's thread; other
        threads parse them without the GIL.  errors="return" gives the exception in place of a
        document that can't be parsed, and goes on.  input: text, or presegmented (a sentence a
        line), tokens (with spaces between them) or conllu.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors is {errors!r}; expected 'raise' or 'return'")
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise ValueError(f"threads is {threads!r}; expected 1 to 256")
        if isinstance(texts, str):
            raise TypeError("texts is a str; expected an iterable of them")
        parser = self._parser()
        batches = _batches(iter(texts))

        def parse(batch: tuple[str, ...]) -> tuple[list, tuple[str, ...]]:
            return parser.texts(batch, input, Sentence), batch

        return _unpack(_in_order(parse, batches, threads), errors == "raise")

    def parse_words(
        self,
        sentences: Iterable[Sequence[str | Mapping[str, Any]]],
        *,
        keep: Sequence[Mapping[int, tuple[int | None, str | None]]] | None = None,
        **options: Any,
    ) -> list[Sentence]:
        """Parses sentences that are words already: forms, or mappings as Sentence.make takes them.

        keep gives, for each sentence, heads and relations that the tree must have:
        {3: (2, "obj")}: word 3 is the object of word 2; None leaves one of the two open.
        """
        made = [_given(s, keep[i] if keep is not None else {}) for i, s in enumerate(sentences)]
        return self.parse(made, keep=True if keep is not None else None, **options)

    def parse(self, sentences: Iterable[Sentence], **options: Any) -> list[Sentence]:
        """Parses sentences, as `dodona parse` does with CoNLL-U.  The given ones do not change."""
        given = tuple(sentences)
        results = self._parser(**options).sentences(given, Sentence)
        return [_checked(result)[0] for result in results]

    @property
    def metadata(self) -> dict[str, str]:
        """What the model is: system, learner, corpus, licence, scores ..."""
        pairs = (line.partition(": ") for line in self._model.metadata.splitlines())
        return {key: value for key, _, value in pairs}

    @property
    def labels(self) -> list[str]:
        """The relations that it can give, the most frequent first."""
        return self._model.labels

    @property
    def templates(self) -> str:
        """The feature templates that it was trained with."""
        return self._model.templates

    @property
    def sections(self) -> dict[str, int]:
        """The sections of its file, and their bytes."""
        return self._model.sections

    def close(self) -> None:
        """Ends its use: it can't parse any more.  Its memory is freed when nobody uses it."""
        self._model.close()
        self._parsers.clear()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> tuple:
        return _load, (self.path, self.options)

    def __repr__(self) -> str:
        return f"<Model {self.path!r}>"


def _load(path: str, options: dict[str, Any]) -> Model:
    return Model(path, **options)


def _checked(result: Any) -> Any:
    if isinstance(result, BaseException):
        raise result
    return result


def _doc(result: Any, text: str) -> Doc:
    return Doc(_checked(result), text)


def _given(words: Any, keep: Mapping[int, tuple[int | None, str | None]]) -> Sentence:
    if isinstance(words, str):
        raise TypeError("a sentence is a str; expected a sequence of words")
    rows = [dict(word) if isinstance(word, Mapping) else {"form": word} for word in words]
    for i, (head, deprel) in keep.items():
        if not 1 <= i <= len(rows):
            raise ValueError(f"keep has word {i}; the sentence has {len(rows)} words")
        rows[i - 1].update(head=head, deprel=deprel)
    return Sentence.make(rows)


def _batches(texts: Iterator[str]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"a text is not a str, but {type(text).__name__}")
        batch.append(text)
        size += len(text)
        if len(batch) == _BATCH_TEXTS or size >= _BATCH_CHARACTERS:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def _in_order(parse: Any, batches: Iterator[tuple[str, ...]], threads: int) -> Iterator[Any]:
    """parse(batch) for all batches, in order, with at most 2 * threads of them under way."""
    if threads == 1:
        yield from map(parse, batches)
        return
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, "dodona")
    under_way: deque = deque()
    try:
        for batch in batches:
            under_way.append(pool.submit(parse, batch))
            if len(under_way) == 2 * threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _unpack(results: Iterator[tuple[list, tuple[str, ...]]], raises: bool) -> Iterator[Any]:
    for outcomes, texts in results:
        for outcome, text in zip(outcomes, texts):
            if isinstance(outcome, BaseException) and not raises:
                yield outcome
            else:
                yield _doc(outcome, text)
