# SPDX-License-Identifier: MIT
"""What the papers' algorithms say of trees.  This part may change in any version."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Sequence

from . import _dodona
from ._doc import Sentence, Tree
from ._train import Sentences, _name


class Decoded(NamedTuple):
    """The best tree, and what else was asked for."""

    heads: list[int]
    score: float
    kbest: list[tuple[list[int], float]] | None = None
    marginals: Any = None  # a NumPy array
    log_total: float | None = None


def decode(
    scores: Any,
    system: str = "mst",
    *,
    kbest: int = 0,
    marginals: bool = False,
    one_root: bool = False,
) -> Decoded | None:
    """The best tree over arc scores, by exact search; None: there is no tree.

    scores is an array of float64, (n+1) x (n+1), row = head, column = modifier, 0 is the root; -inf
    forbids an arc.  It is read where it lies.  system: mst, eisner or a transition system.  With
    kbest, also the best trees and their scores; with marginals, also the share of each arc in the
    sum of exp(score) over all trees, and the logarithm of that sum.
    """
    best = _dodona.decode(scores, system, one_root, False)
    if best is None:
        return None
    listed = shares = total = None
    if kbest:
        listed = _kbest(scores, system, one_root, kbest)
    if marginals:
        import numpy

        total, cells = _dodona.decode(scores, system, one_root, True)
        shares = numpy.frombuffer(cells).reshape(len(scores), len(scores))
    heads, score = best
    return Decoded(heads, score, listed, shares, total)


def _kbest(scores: Any, system: str, one_root: bool, kbest: int) -> list[tuple[list[int], float]]:
    import json

    minus = float("-inf")
    matrix: Any = memoryview(scores).tolist()
    rows = [
        [None if x == minus or j == 0 or i == j else x for j, x in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    answer = json.loads(_dodona.decode_json(system, one_root, kbest, json.dumps({"scores": rows})))
    return [(tree["heads"], tree["score"]) for tree in answer["kbest"]]


def oracle(
    system: str,
    heads: Sequence[int],
    stack: Sequence[int] | None = None,
    buffer: int | None = None,
    arcs: Sequence[int | None] | None = None,
    *,
    i: int | None = None,
    j: int | None = None,
    algorithm: str | None = None,
    strategy: str = "free",
    one_root: bool = False,
    limit: int = 0,
) -> dict[str, Any]:
    """How good each transition is in a configuration, as `dodona oracle` prints it.

    heads is the gold tree; stack is bottom to top; buffer is the first unread word, n+1 when none;
    arcs has each word's head so far, None or -1 for none.  The Covington systems have the focus
    words i and j in place of stack and buffer.
    """
    import json

    given: dict[str, Any] = {"heads": list(heads)}
    if stack is not None:
        given["stack"] = list(stack)
    for name, value in (("buffer", buffer), ("i", i), ("j", j)):
        if value is not None:
            given[name] = value
    so_far = [-1] * len(given["heads"]) if arcs is None else arcs
    given["arcs"] = [-1 if head is None else head for head in so_far]
    line = json.dumps(given)
    return json.loads(_dodona.oracle(system, algorithm, strategy, one_root, limit, line))


class Projectivized(NamedTuple):
    """The nearest projective tree."""

    heads: list[int | None]
    changed: int  # heads that are new
    trees: int  # projective trees that keep as many heads


def _of_heads(heads: Sequence[int]) -> Sentence:
    return Sentence.make({"form": "x", "head": head, "deprel": "dep"} for head in heads)


def projectivize(tree: Sequence[int] | Sentence, *, one_root: bool = False) -> Any:
    """A projective tree that keeps the most heads.

    Of a list of heads: the new list, how many are new, and how many trees keep as many.  Of a
    sentence: a new sentence.
    """
    if isinstance(tree, Sentence):
        return _dodona.projectivize(tree, one_root)[0]
    sentence = _of_heads(tree)
    nearest, changed = _dodona.projectivize(sentence, one_root)
    _, count = _dodona.projectivize_count(sentence, one_root)
    return Projectivized(nearest.heads, changed, int(count))


def pseudo_projective(sentence: Sentence, scheme: str | None = "head") -> Sentence:
    """The sentence with crossing arcs lifted and marked in the relations, by the scheme head, path
    or head+path; None: the way back."""
    return _dodona.pseudo(sentence, scheme)[0]


def coverage(
    sentences: Sentences, systems: Sequence[str] | None = None, *, one_root: bool = False
) -> dict[str, Any]:
    """How many trees each system can reach, as `dodona coverage --json` prints it."""
    import json

    names = None if systems is None else ",".join(systems)
    return json.loads(_dodona.coverage(sentences, _name(sentences), names, one_root))


class Arc(NamedTuple):
    """The probability of an arc, and of the arc with its most probable relation."""

    head: int
    child: int
    p: float
    deprel: str
    labelled: float


class Forest:
    """The trees that a search kept: a line of `dodona parse --forest`, or sentence.forest of a
    model that was loaded with forest=True.  Iterating gives the trees from the best on."""

    def __init__(self, line: str) -> None:
        self._forest = _dodona.Forest(line)
        self._line = line

    @property
    def size(self) -> tuple[int, int, int]:
        """Words, nodes and edges."""
        return self._forest.size()

    @property
    def count(self) -> int:
        """The number of trees, of any length."""
        return int(self._forest.count())

    def __iter__(self) -> Iterator[Tree]:
        own = _dodona.Forest(self._line)
        tree = own.next(True)
        while tree is not None:
            yield Tree(*tree)
            tree = own.next(False)

    def oracle(self, gold: Sentence, *, labelled: bool = False) -> tuple[int, Tree]:
        """The tree with the most heads (and relations) of gold, and how many these are."""
        correct, tree = self._forest.oracle(gold, labelled)
        return correct, Tree(*tree)

    def marginals(self, temperature: float = 1.0) -> list[Arc]:
        """The probability of every arc, when a tree's is proportional to exp(score/temperature)."""
        return [Arc(*arc) for arc in self._forest.marginals(temperature)]
