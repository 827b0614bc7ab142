# SPDX-License-Identifier: MIT
"""Nothing that Python can pass ends the process: it is taken, or an exception tells why not."""

import copy
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT, TEXTS

import dodona

ODD = [None, 3, 3.5, b"bytes", [], ["a"], {}, object(), type, lambda: 1, float("nan"), ..., ("a",)]


@pytest.mark.parametrize("what", ODD, ids=repr)
def test_what_is_not_text(nlp, what):
    with pytest.raises(TypeError):
        nlp(what)
    with pytest.raises(TypeError):
        list(nlp.pipe([what]))
    with pytest.raises((TypeError, ValueError)):
        nlp.parse([what])
    if not isinstance(what, (bytes, str)):
        with pytest.raises((TypeError, dodona.Error)):
            dodona.load(what)
    if what not in ([], {}, ["a"], ("a",)):  # these are words
        with pytest.raises((TypeError, ValueError)):
            nlp.parse_words([what])
    with pytest.raises((TypeError, ValueError)):
        nlp.with_options(search=what if what is not None else 3)
    with pytest.raises((TypeError, ValueError, AttributeError)):
        list(dodona.read(what, what))


def test_odd_texts(nlp):
    for text in ("\ud800", "a\udfff", "ok \ud83d"):
        with pytest.raises(UnicodeEncodeError):
            nlp(text)
        with pytest.raises(UnicodeEncodeError):
            list(nlp.pipe([text], threads=2))
        with pytest.raises(UnicodeEncodeError):
            dodona.Sentence.make([text])
        with pytest.raises((UnicodeEncodeError, dodona.Error)):
            dodona.load(text)
    for text in ("\0", "a\0b", "\ufeff", "\ufeffA.", "\u2028", "\x1b", "\U0010ffff", "a" * 100_000, "\n" * 10_000,
                 "a\u0300" * 10_000, "(" * 10_000, "\u202e abc", "\u00ad", "\ufdfa" * 1000):  # fmt: skip
        doc = nlp(text)
        for sentence in doc:
            for token in sentence.tokens:
                assert 0 <= token.start < token.end <= len(text)
            assert sentence.to_conllu() and sentence.to("svg") and str(sentence) is not None


def test_a_huge_text(nlp):
    doc = nlp("The oak speaks to those who listen. " * 20_000)
    assert len(doc) == 20_000 and sum(map(len, doc)) == 160_000


def test_names_with_nul(nlp, tmp_path):
    with pytest.raises(ValueError):
        nlp.with_options(search="greedy\0")
    with pytest.raises(ValueError):
        dodona.load("a\0b")
    with pytest.raises(ValueError):
        dodona.write([], f"{tmp_path}/a\0b")
    with pytest.raises(ValueError):
        nlp("A.").to("conllu\0")
    with pytest.raises(ValueError):
        nlp("A.")[0].meta("a\0")
    for format in ("no", "", "guess"):
        with pytest.raises(dodona.ArgumentError):
            nlp("A.").to(format)
        with pytest.raises(dodona.ArgumentError):
            dodona.read(os.devnull, format)
    for format in ("json", "svg"):
        with pytest.raises(dodona.ArgumentError):
            dodona.read(os.devnull, format)


def test_files_that_are_no_models(tmp_path, treebank):
    path = tmp_path / "a.model"
    for data in (b"", b"x", b"\0" * 10_000, treebank[0].read_bytes()):
        path.write_bytes(data)
        with pytest.raises(dodona.ModelError):
            dodona.load(path)
    good = (ROOT / "models" / "english.model").read_bytes()
    for size in (10, 1000, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:size])
        with pytest.raises(dodona.ModelError):
            dodona.load(path)
    for bad in (tmp_path, tmp_path / "none"):
        with pytest.raises(dodona.Error):
            dodona.load(bad)


def test_objects_are_not_made_from_nothing(nlp):
    sentence = nlp("A.")[0]
    for cls in (dodona.Sentence, dodona.Word):
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            cls.__new__(cls)
        with pytest.raises(TypeError):
            object.__new__(cls)

        class Own(cls):
            pass

        with pytest.raises(TypeError):
            Own()
    for o in (sentence, sentence[0], nlp("A.")):
        assert str(copy.copy(o)) == str(copy.deepcopy(o)) == str(o)
    for name in ("text", "id", "head", "new"):
        with pytest.raises(AttributeError):
            setattr(sentence[0], name, 1)
    empty = dodona.Sentence.make([])
    assert len(empty) == 0 and list(empty) == [] and empty.root is None and copy.copy(empty) == empty
    assert empty.word(0).subtree == [empty.word(0)]


def test_heads_that_are_no_tree(nlp):
    for heads in ([2, 1], [1], [7, 0], [0, 0], [None, 1]):
        rows = [{"form": "a", "head": h} for h in heads]
        sentence = dodona.Sentence.make(rows)
        for word in sentence:
            assert word.subtree and word.path(word) == [word]
            assert word.children is not None and word.ancestors is not None
            for other in sentence:
                assert word.path(other)[-1] == other
        for format in ("conllu", "json", "displacy", "tree", "svg", "html", "tikz", "text"):
            assert sentence.to(format)
        assert len(nlp.parse([sentence])[0]) == len(heads)


def test_sentences_outlive_everything(nlp):
    word = dodona.load()("I saw Al.")[0][1]
    gc.collect()
    assert word.text == "saw" and word.sentence[0].head == word
    saw = [w for w in dodona.load().pipe(["I saw Al."] * 3)][1][0].word(2)
    gc.collect()
    assert saw.children[0].text == "I"


def test_use_after_close(tmp_path):
    model = dodona.load()
    docs = model.pipe(f"Text {i}." for i in range(10_000))
    first = next(docs)
    with model:
        pass
    for use in (lambda: model("A."), lambda: model.labels, lambda: model.metadata, lambda: list(docs),
                lambda: model.parse_words([["a"]]), lambda: list(model.pipe(["a"]))):  # fmt: skip
        with pytest.raises(ValueError, match="closed"):
            use()
    assert first[0][0].text == "Text"
    model.close()


def test_close_while_others_parse():
    model = dodona.load()
    ended = []

    def work():
        try:
            while True:
                model(TEXTS[1])
        except ValueError as error:
            ended.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    model.close()
    for thread in threads:
        thread.join()
    assert ended == ["the model is closed"] * 4


def test_fork(nlp):
    text = TEXTS[0]
    expected = nlp(text).to_conllu()
    pipe = nlp.pipe([text] * 1000, threads=2)
    next(pipe)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            os._exit(0 if nlp(text).to_conllu() == expected else 1)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    assert sum(1 for _ in pipe) == 999


def test_multiprocessing():
    code = (
        "import dodona, multiprocessing as m\n"
        "if __name__ == '__main__':\n"
        "    nlp = dodona.load()\n"
        "    with m.get_context('spawn').Pool(2) as pool:\n"
        "        docs = pool.map(nlp, ['I saw Al.', 'He waved.'])\n"
        "    assert [d[0].root.text for d in docs] == ['saw', 'waved']\n"
    )
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(code)
        file.flush()
        subprocess.run([sys.executable, file.name], check=True, timeout=120)


def test_signals_stop_a_long_parse(nlp):
    class Alarm(Exception):
        pass

    def raises(number, frame):
        raise Alarm

    text = "The oak speaks to those who listen. " * 200_000
    old = signal.signal(signal.SIGALRM, raises)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        began = time.monotonic()
        with pytest.raises(Alarm):
            nlp(text)
        assert time.monotonic() - began < 10
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert len(nlp("A.")) == 1


def resident():
    """Bytes of memory that the process has now."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def grown(work, times):
    """Bytes that the process has grown by when the work was done as often again."""
    for _ in range(times):
        work()
    before = resident()
    for _ in range(times):
        work()
    return resident() - before


def failing(nlp):
    for call in (lambda: nlp(None), lambda: nlp("\ud800"), lambda: nlp.with_options(search="no"),
                 lambda: dodona.Sentence.make(["a\tb"]), lambda: dodona.load("/no/such"),
                 lambda: list(nlp.pipe(["1\ta\n\n"], input="conllu"))):  # fmt: skip
        try:
            call()
        except (TypeError, ValueError, OSError):
            pass


def test_leaks(nlp, treebank, tmp_path):
    sentence = nlp(TEXTS[1])[0]
    bytes_ = treebank[1].read_bytes()[:20_000]
    cut = bytes_[: bytes_.rindex(b"\n\n") + 2].decode()

    def words():
        for word in sentence:
            assert word.text and word.start is not None and word.end and word.confidence is None
            assert word.lemma and word.feats is not None and word.misc is not None and word.head
            assert word.subtree and word.children is not None
        assert sentence.tokens and sentence.comments and sentence.heads and not sentence.trees
        assert sentence.to_dict() and sentence.to("svg")

    for work, times in (
        (lambda: nlp(TEXTS[1]), 3000),
        (words, 1000),
        (lambda: failing(nlp), 1000),
        (lambda: list(nlp.pipe([cut], input="conllu")), 100),
        (lambda: list(nlp.pipe(TEXTS, threads=2)), 100),
        (lambda: dodona.evaluate(treebank[1], treebank[1]), 50),
        (lambda: dodona.load("english"), 100),
        (lambda: copy.copy(sentence), 3000),
    ):
        assert grown(work, times) < 500 * times, times
