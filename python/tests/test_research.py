# SPDX-License-Identifier: MIT
"""The research part gives what the command gives, and what can be counted by hand."""

import itertools
import json
import random

import numpy
import pytest
from conftest import run

import dodona


def trees(n):
    """All trees over n words, as lists of heads."""
    for heads in itertools.product(range(n + 1), repeat=n):
        for i in range(1, n + 1):
            seen = set()
            while i and i not in seen:
                seen.add(i)
                i = heads[i - 1]
            if i:
                break
        else:
            yield list(heads)


def score(w, heads):
    return sum(w[h, i] for i, h in enumerate(heads, 1))


def test_decode_finds_the_best_of_all_trees():
    rng = numpy.random.default_rng(1)
    for n in range(1, 5):
        w = rng.integers(-40, 40, (n + 1, n + 1)) / 8
        every = sorted(trees(n), key=lambda heads: -score(w, heads))
        found = dodona.decode(w, "mst", kbest=3, marginals=True)
        assert found.score == score(w, found.heads) == score(w, every[0])
        assert [s for _, s in found.kbest] == [score(w, heads) for heads in every[:3]]
        weight = [numpy.exp(score(w, heads)) for heads in every]
        assert found.log_total == pytest.approx(numpy.log(sum(weight)))
        share = numpy.zeros_like(w)
        for p, heads in zip(weight, every):
            for i, h in enumerate(heads, 1):
                share[h, i] += p / sum(weight)
        assert numpy.allclose(found.marginals, share)
        assert found.marginals.base is not None


@pytest.mark.parametrize("system", ["mst", "eisner", "arc-standard", "alls0s1"])
def test_decode_is_that_of_the_command(system):
    rng = numpy.random.default_rng(2)
    for n in (0, 1, 3, 8):
        w = rng.integers(-40, 40, (n + 1, n + 1)) / 8
        w[rng.random((n + 1, n + 1)) < 0.1] = -numpy.inf
        rows = [[None if x == -numpy.inf else x for x in row] for row in w.tolist()]
        line = json.dumps({"scores": rows}).encode()
        printed = json.loads(run("decode", "--system", system, input=line))
        found = dodona.decode(w, system)
        assert (found and found.heads, found and found.score) == (printed["heads"], printed["score"])


def test_decode_refuses_what_it_can_not_take():
    good = numpy.zeros((4, 4))
    for scores in (None, 3, "text", good.astype("float32"), good.astype(int), good.astype(object),
                   good.astype(">f8"), [[0.0]], good.astype(complex), numpy.array("x"), b"12345678"):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            dodona.decode(scores)
    for scores in (numpy.zeros((3, 4)), numpy.zeros(16), numpy.zeros((0, 0)), numpy.zeros((2, 2, 2)),
                   numpy.broadcast_to(0.0, (4, 4)), numpy.zeros((8, 8))[::2, ::2], numpy.full((3, 3), numpy.nan),
                   numpy.full((3, 3), numpy.inf), numpy.full((3, 3), 1e200)):  # fmt: skip
        with pytest.raises((ValueError, BufferError)):
            dodona.decode(scores)
    for system in ("no", "", None, 3, "mst\0"):
        with pytest.raises((TypeError, ValueError)):
            dodona.decode(good, system)
    for kbest in (-1, 10**9, 10**30, "3"):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            dodona.decode(good, kbest=kbest)
    with pytest.raises(dodona.Error):
        dodona.decode(good, "alls0s1", marginals=True)
    assert dodona.decode(numpy.full((3, 3), -numpy.inf)) is None
    assert dodona.decode(numpy.asfortranarray(numpy.zeros((1, 1)))).heads == []


def test_oracle_is_that_of_the_command():
    configuration = {"heads": [2, 0, 2], "stack": [0, 2], "buffer": 3, "arcs": [2, -1, -1]}
    for system in ("arc-standard", "arc-hybrid", "arc-eager"):
        printed = json.loads(run("oracle", "--system", system, input=json.dumps(configuration).encode()))
        assert dodona.oracle(system, **configuration) == printed
    covington = {"heads": [2, 0, 2], "i": 1, "j": 3, "arcs": [2, -1, -1]}
    printed = json.loads(run("oracle", "--system", "covington", input=json.dumps(covington).encode()))
    assert dodona.oracle("covington", [2, 0, 2], i=1, j=3, arcs=[2, None, None]) == printed
    for wrong in (
        {"heads": [5]}, {"heads": ["a"]}, {"stack": [9]}, {"buffer": -1}, {"buffer": 10**30},
        {"arcs": [1]}, {"heads": []}, {"stack": None},
    ):  # fmt: skip
        with pytest.raises((dodona.Error, ValueError)):
            dodona.oracle("arc-standard", **{**configuration, **wrong})
    with pytest.raises(TypeError):
        dodona.oracle("arc-standard", None)
    with pytest.raises(TypeError):
        dodona.oracle("arc-standard", [object()])


def crosses(heads):
    arcs = [(min(i, h), max(i, h)) for i, h in enumerate(heads, 1)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_projectivize_finds_the_nearest_of_all_trees():
    rng = random.Random(3)
    for n in range(1, 5):
        every = list(trees(n))
        projective = [heads for heads in every if not crosses(heads)]
        for gold in rng.sample(every, min(20, len(every))):
            kept = [sum(map(int.__eq__, gold, heads)) for heads in projective]
            found = dodona.projectivize(gold)
            assert found.heads in projective
            assert n - found.changed == sum(map(int.__eq__, gold, found.heads)) == max(kept)
            assert found.trees == kept.count(max(kept))
    for wrong in ([2, 1], [5], [-3], [0, 10**30]):
        with pytest.raises((dodona.Error, OverflowError)):
            dodona.projectivize(wrong)
    with pytest.raises(TypeError):
        dodona.projectivize(["a"])


def test_projectivize_is_that_of_the_command(treebank):
    sentences = list(dodona.read_conllu(treebank[0]))
    found = "".join(dodona.projectivize(s).to_conllu() for s in sentences)
    assert found == run("projectivize", treebank[0])
    for scheme in ("head", "path", "head+path"):
        lifted = [dodona.pseudo_projective(s, scheme) for s in sentences]
        assert "".join(s.to_conllu() for s in lifted) == run("projectivize", "--pseudo", scheme, treebank[0])
        back = "".join(dodona.pseudo_projective(s, None).to_conllu() for s in lifted)
        given = "".join(s.to_conllu() for s in lifted).encode()
        assert back == run("projectivize", "--undo", input=given)
    with pytest.raises(dodona.ArgumentError):
        dodona.pseudo_projective(sentences[0], "no")


def test_forests(treebank, tmp_path):
    path = tmp_path / "dp.model"
    dodona.train(train=treebank[0], model=path, search="dp", iterations=1)
    model = dodona.load(path, forest=True)
    gold = list(dodona.read_conllu(treebank[1]))[:5]
    for sentence, right in zip(model.parse(gold), gold):
        forest = dodona.Forest(sentence.forest)
        listed = list(itertools.islice(forest, 50))
        assert listed == list(itertools.islice(forest, 50))
        assert listed[0].heads == sentence.heads
        assert [t.score for t in listed] == sorted((t.score for t in listed), reverse=True)
        assert forest.count >= len(listed) and (forest.count < 50) == (len(listed) < 50)
        correct, tree = forest.oracle(right)
        assert correct == sum(a == b for a, b in zip(tree.heads, right.heads))
        assert correct >= max(sum(a == b for a, b in zip(t.heads, right.heads)) for t in listed)
        for child in range(1, len(sentence) + 1):
            total = sum(a.p for a in forest.marginals() if a.child == child)
            assert total == pytest.approx(1)
        assert forest.size[0] == len(sentence)
    for line in ("", "{}", "[]", "x", "\0", "[" * 100000):
        with pytest.raises(dodona.Error):
            dodona.Forest(line)
    for bad in (None, 3, b"{}"):
        with pytest.raises(TypeError):
            dodona.Forest(bad)
    for temperature in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            forest.marginals(temperature)


def test_names():
    assert "arc-standard" in dodona.names("systems") and "mst" in dodona.names("decoders")
    assert dodona.names("searches") == ["greedy", "beam", "dp", "exact"]
    for kind in ("no", None, 3):
        with pytest.raises(ValueError):
            dodona.names(kind)
