# SPDX-License-Identifier: MIT
"""Reading and writing, training, scoring and figures are those of the command."""

import gzip
import io
import json
import threading

import pytest
from conftest import run

import dodona


def test_reading_gives_the_file_back(treebank, tmp_path):
    text = treebank[0].read_text()
    assert "".join(s.to_conllu() for s in dodona.read_conllu(treebank[0])) == text
    assert "".join(s.to_conllu() for s in dodona.read_conllu(io.BytesIO(text.encode()))) == text
    for name in ("a.conllu", "b.conllu.gz", "c.conllu.zst"):
        dodona.write(dodona.read_conllu(treebank[0]), tmp_path / name)
        assert "".join(s.to_conllu() for s in dodona.read_conllu(str(tmp_path / name))) == text
    with gzip.open(tmp_path / "b.conllu.gz") as file:
        assert len(list(dodona.read(file))) == 300


def test_formats_are_converted(treebank, tmp_path):
    for format in ("conllx", "tokens", "text", "json", "tree", "tikz", "svg", "html"):
        dodona.write(dodona.read_conllu(treebank[1]), tmp_path / format, format)
        printed = run("convert", "--quiet", "--output", format, treebank[1])
        assert (tmp_path / format).read_text() == printed
    forms = [[w.text for w in s] for s in dodona.read(tmp_path / "tokens", "tokens")]
    assert forms == [[w.text for w in s] for s in dodona.read_conllu(treebank[1])]


def test_a_file_appears_only_when_it_is_complete(treebank, tmp_path):
    def half():
        yield from list(dodona.read_conllu(treebank[0]))[:10]
        raise KeyError("mine")

    for sentences, error in ((half(), KeyError), ([1], TypeError), (None, TypeError)):
        with pytest.raises(error):
            dodona.write(sentences, tmp_path / "out.conllu")
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(dodona.FileError) as told:
        dodona.write([], tmp_path / "no" / "such" / "folder")
    assert isinstance(told.value, OSError)


def test_errors_have_file_and_line(tmp_path):
    path = tmp_path / "bad.conllu"
    good = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text(good + "1\ta\n\n" + good)
    with pytest.raises(dodona.InputError) as told:
        list(dodona.read_conllu(path))
    error = told.value
    assert (error.file, error.line) == (str(path), 3)
    assert error.message and str(error) == f"{path}:3: {error.message}"
    assert isinstance(error, ValueError) and isinstance(error, dodona.Error)
    sentences = list(dodona.read_conllu(path, skip_bad=True))
    assert [s.is_bad for s in sentences] == [False, True, False]
    assert sentences[1].to_conllu() == "1\ta\n\n" and len(sentences[1]) == 0
    path.write_text(good.replace("\t0\t", "\t1\t"))
    list(dodona.read_conllu(path))
    with pytest.raises(dodona.InputError):
        list(dodona.read_conllu(path, check="tree"))
    path.write_bytes("é".encode("latin1"))
    with pytest.raises(dodona.InputError):
        list(dodona.read(path, "tokens"))
    (sentence,) = dodona.read(path, "tokens", encoding="latin1")
    assert sentence[0].text == "é"
    (sentence,) = dodona.read(path, "tokens", replace=True)
    assert sentence[0].text == "\ufffd"


def test_read_objects_may_fail(treebank):
    class Bad:
        def __init__(self, what):
            self.what = what

        def read(self, size):
            if isinstance(self.what, Exception):
                raise self.what
            return self.what

    for what, error in (
        (KeyError("mine"), KeyError),
        ("text", TypeError),
        (None, TypeError),
        (b"x" * (1 << 24), ValueError),
    ):
        with pytest.raises(error):
            list(dodona.read(Bad(what)))
    with pytest.raises(AttributeError):
        list(dodona.read(3))

    class Again:
        def read(self, size):
            return next(self.reader).to_conllu().encode()

    file = Again()
    file.reader = iter(())
    with pytest.raises((StopIteration, RuntimeError)):
        file.reader = dodona.read(file)
        next(file.reader)


def test_a_reader_is_one_threads():
    waits, goes = threading.Event(), threading.Event()
    sentence = b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"

    class Slow:
        file = io.BytesIO(2 * sentence)

        def read(self, size):
            data = self.file.read(size)
            if not data:
                waits.set()
                assert goes.wait(60)
            return data

    reader = dodona.read(Slow())
    found = []
    thread = threading.Thread(target=lambda: found.extend(reader))
    thread.start()
    assert waits.wait(60)
    with pytest.raises(RuntimeError, match="another thread"):
        next(reader)
    with pytest.raises(RuntimeError, match="another thread"):
        reader.close()
    goes.set()
    thread.join()
    assert len(found) == 2


def test_sentences_are_made():
    sentence = dodona.Sentence.make(
        [
            {"form": "Oaks", "upos": "NOUN", "feats": {"Number": "Plur"}, "head": 2, "deprel": "nsubj"},
            {"form": "speak", "head": 0, "deprel": "root", "misc": {"SpaceAfter": "No"}},
            ".",
        ],
        comments=["# sent_id = a", "# text = Oaks speak."],
    )
    assert sentence.to_conllu() == (
        "# sent_id = a\n# text = Oaks speak.\n"
        "1\tOaks\t_\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
        "2\tspeak\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "3\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    assert sentence.meta("sent_id") == "a" and sentence.meta("none") is None
    assert sentence.comments == ["# sent_id = a", "# text = Oaks speak."]
    assert sentence == dodona.Sentence.from_conllu(sentence.to_conllu())
    for words in (["a\tb"], ["a\nb"], [""], [{}], [{"form": "a", "head": -7}], [{"form": "a", "x": 1}]):
        with pytest.raises(ValueError):
            dodona.Sentence.make(words)
    for words in ([3], [None], 3, None, [{"form": 3}], [{"form": "a", "head": "b"}]):
        with pytest.raises(TypeError):
            dodona.Sentence.make(words)
    with pytest.raises(ValueError):
        dodona.Sentence.make(["a"], comments=["no"])


def test_training_is_that_of_the_command(treebank, tmp_path):
    train, dev = treebank
    told = []
    result = dodona.train(
        train=train, dev=dev, model=tmp_path / "a", system="arc-eager", iterations=3, seed=7,
        progress=told.append,
    )  # fmt: skip
    run("train", "--quiet", "--train", train, "--dev", dev, "--model", tmp_path / "b", "--system",
        "arc-eager", "--iterations", 3, "--seed", 7)  # fmt: skip
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    ended = [p for p in told if p.phase == "iteration"]
    assert [p.iteration for p in ended] == [1, 2, 3]
    assert max(p.las for p in ended) == result.las
    # The same from sentences, but for the names of the sources.
    again = dodona.train(
        train=dodona.read_conllu(train), dev=list(dodona.read_conllu(dev)), model=tmp_path / "c",
        system="arc-eager", iterations=3, seed=7, progress=True,
    )  # fmt: skip
    assert (again.las, again.uas, again.best) == (result.las, result.uas, result.best)


def test_training_is_stopped(treebank, tmp_path):
    def stop(now):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        dodona.train(train=treebank[0], model=tmp_path / "a", progress=stop)
    with pytest.raises(dodona.Cancelled):
        dodona.train(train=treebank[0], model=tmp_path / "a", progress=lambda now: True)
    assert not (tmp_path / "a").exists()
    with pytest.raises(KeyError, match="mine"):
        dodona.train(train=(stop(s) for s in dodona.read_conllu(treebank[0])), model=tmp_path / "a")
    for options in (
        {"system": "no"}, {"iterations": -1}, {"explore_rate": 2}, {"explore_rate": float("nan")},
        {"oracle": "no"}, {"keep_last": "no"}, {"seed": -1},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            dodona.train(train=treebank[0], model=tmp_path / "a", **options)
    for options in ({"iterations": "3"}, {"sistem": "x"}, {"system": 3}, {"progress": 3}):
        with pytest.raises(TypeError):
            dodona.train(train=treebank[0], model=tmp_path / "a", **options)
    with pytest.raises(TypeError):
        dodona.train(train=[1, 2], model=tmp_path / "a")
    with pytest.raises(dodona.Error):
        dodona.train(train=[], model=tmp_path / "a")


def test_scoring_is_that_of_the_command(treebank, small, tmp_path):
    dev = treebank[1]
    parsed, other = tmp_path / "parsed.conllu", tmp_path / "other.conllu"
    model = dodona.load(small)
    dodona.write(model.parse(dodona.read_conllu(dev)), parsed)
    dodona.write(model.with_options(search="beam").parse(dodona.read_conllu(dev)), other)
    for options, flags in (({}, ()), ({"no_punct": True, "analysis": True}, ("--no-punct", "--analysis"))):
        scores = dodona.evaluate(dev, parsed, **options)
        assert scores == json.loads(run("eval", "--json", *flags, dev, parsed))
        assert str(scores) == run("eval", *flags, dev, parsed)
        same = dodona.evaluate(dodona.read_conllu(dev), dodona.read_conllu(parsed), **options)
        assert same == scores
    two = dodona.evaluate(dev, parsed, other, trials=100)
    assert two == json.loads(run("eval", "--json", "--trials", 100, dev, parsed, other))
    with pytest.raises(dodona.InputError):
        dodona.evaluate(dev, treebank[0])
    with pytest.raises(TypeError):
        dodona.evaluate(dev, None)


def test_figures_are_those_of_the_command(treebank):
    dev = treebank[1]
    assert dodona.stats(dev) == json.loads(run("stats", "--json", dev))
    assert dodona.stats(dodona.read_conllu(dev)) == {**dodona.stats(dev), "file": "sentences"}
    printed = json.loads(run("coverage", "--json", "--system", "arc-standard,all", dev))
    assert dodona.coverage(dev, ["arc-standard", "all"]) == printed
    assert dodona.coverage(list(dodona.read_conllu(dev)))["trees"] == 100
    with pytest.raises(dodona.ArgumentError):
        dodona.coverage(dev, ["no"])
