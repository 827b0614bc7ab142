# SPDX-License-Identifier: MIT
"""Sentences from files and into files."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Iterable, Iterator

from . import _dodona
from ._doc import Doc, Sentence
from ._model import Model

_CHECKS = {"form": 0, "tree": 1, "one-root": 2}


def read(
    file: str | os.PathLike | BinaryIO,
    format: str = "conllu",
    *,
    check: str = "form",
    skip_bad: bool = False,
    encoding: str | None = None,
    replace: bool = False,
    model: Model | None = None,
) -> Iterator[Sentence]:
    """The sentences of a file, one at a time: a path, plain or compressed with gzip or zstd, or an
    object whose method read gives bytes.

    format: conllu, conllx, tokens, vertical; text and presegmented take a model with a tokenizer.
    check: "form"; "tree": every sentence must be a tree; "one-root": with one root.  What is wrong
    raises InputError with file and line; with skip_bad such a sentence has is_bad and no words.
    encoding: utf-8, latin1, cp1252 or utf-16; replace puts U+FFFD for what is not in it.
    """
    if check not in _CHECKS:
        raise ValueError(f"check is {check!r}; expected one of {', '.join(_CHECKS)}")
    return _dodona.Reader(
        file, format, _CHECKS[check], skip_bad, encoding, replace,
        None if model is None else model._model, Sentence,
    )  # fmt: skip


def read_conllu(file: str | os.PathLike | BinaryIO, **options: Any) -> Iterator[Sentence]:
    """The sentences of a file in CoNLL-U; options as those of read."""
    return read(file, "conllu", **options)


def write(
    sentences: Iterable[Sentence | Doc], path: str | os.PathLike, format: str = "conllu"
) -> None:
    """Writes sentences or documents into a file, compressed where its name ends with .gz or .zst.
    The file appears only when it is complete."""
    writer = _dodona.Writer(path, format)
    try:
        for item in sentences:
            for sentence in item if isinstance(item, Doc) else (item,):
                writer.put(sentence)
    except BaseException:
        writer.abandon()
        raise
    writer.close()
