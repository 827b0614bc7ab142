# SPDX-License-Identifier: MIT
"""Transition-based dependency parsing.

    import dodona
    nlp = dodona.load()
    for sentence in nlp("I saw Al with Joe. He waved."):
        for word in sentence:
            print(word.text, word.upos, word.head.text, word.deprel)
"""

import os
from typing import Any

from ._doc import Doc, Pairs, Sentence, Token, Tree, Word
from ._dodona import (
    ArgumentError,
    Cancelled,
    Error,
    FileError,
    InputError,
    LimitError,
    ModelError,
    names,
)
from ._dodona import version as __version__
from ._files import read, read_conllu, write
from ._model import Model
from ._research import Forest, coverage, decode, oracle, projectivize, pseudo_projective
from ._train import Progress, Scores, TrainResult, evaluate, stats, train

__all__ = [
    "ArgumentError",
    "Cancelled",
    "Doc",
    "Error",
    "FileError",
    "Forest",
    "InputError",
    "LimitError",
    "Model",
    "ModelError",
    "Pairs",
    "Progress",
    "Scores",
    "Sentence",
    "Token",
    "TrainResult",
    "Tree",
    "Word",
    "coverage",
    "decode",
    "evaluate",
    "load",
    "names",
    "oracle",
    "projectivize",
    "pseudo_projective",
    "read",
    "read_conllu",
    "stats",
    "train",
    "write",
]


def load(model: "str | os.PathLike" = "english", **options: Any) -> Model:
    """Opens a model: a path, or the name of one that came with the package.

    Options are those of Model.
    """
    return Model(model, **options)
