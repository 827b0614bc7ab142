# SPDX-License-Identifier: MIT
"""Parsing gives what the command gives, and documents answer for what is in them."""

import json
import pickle
import threading

import pytest
from conftest import ROOT, TEXTS, run

import dodona


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_parsed_as_by_the_command(nlp, text):
    doc = nlp(text)
    given = text.encode()
    assert doc.to_conllu() == run("parse", "--quiet", "--input", "text", input=given)
    lines = run("parse", "--quiet", "--input", "text", "--output", "json", input=given)
    assert doc.to_dict()["sentences"] == [json.loads(line) for line in lines.splitlines()]


@pytest.mark.parametrize("text", TEXTS)
def test_offsets_are_code_points_of_the_text(nlp, text):
    end = 0
    for sentence in nlp(text):
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text
            assert text[end : token.start].strip() == ""
            end = token.end
            for i in range(token.first, token.last + 1):
                word = sentence.word(i)
                assert (word.start, word.end) == (token.start, token.end)
    assert text[end:].strip() == ""


@pytest.mark.parametrize("format", ["conllu", "conllx", "tokens", "text", "tree", "svg", "html", "tikz"])
def test_formats_are_those_of_the_command(nlp, format):
    text = TEXTS[1]
    printed = run("parse", "--quiet", "--input", "text", "--output", format, input=text.encode())
    assert nlp(text).to(format) == printed


def columns(sentence):
    """The rows of its words, from its CoNLL-U."""
    rows = [line.split("\t") for line in sentence.to_conllu().splitlines() if "\t" in line]
    return [row for row in rows if row[0].isdigit()]


def test_words_have_what_conllu_has(nlp):
    for text in TEXTS:
        for sentence in nlp(text):
            rows = columns(sentence)
            assert len(sentence) == len(rows)
            for word, row in zip(sentence, rows):
                empty = ["" if value == "_" else value for value in row]
                assert [str(word.id), word.text, word.lemma, word.upos, word.xpos] == row[:2] + empty[2:5]
                feats = dict(pair.split("=") for pair in empty[5].split("|") if pair)
                assert word.feats == feats
                assert str(word.head_id) == row[6]
                assert word.deprel == empty[7]
                assert word.deps == empty[8]
                assert word.head.id == int(row[6])


def test_the_first_example(nlp):
    doc = nlp("I saw Al with Joe. He waved.")
    assert [len(sentence) for sentence in doc] == [6, 3]
    saw = doc[0][1]
    assert (saw.text, saw.lemma, saw.upos, saw.deprel) == ("saw", "see", "VERB", "root")
    assert saw.is_root and saw.head.text == "ROOT" and saw.head.id == 0
    assert saw.feats["Tense"] == "Past" and saw.feats["Gender"] is None
    assert doc[0].root == saw
    assert [word.text for word in doc.words][:3] == ["I", "saw", "Al"]
    assert doc[1].text == "He waved." and doc[1].sent_id == "2"


def test_tree_relations_follow_from_the_heads(nlp):
    for sentence in nlp(TEXTS[1]):
        heads = [0] + sentence.heads
        below = {w.id: {w.id} for w in sentence}
        for word in sentence:
            above, i = [], heads[word.id]
            while i:
                above.append(i)
                below[i].add(word.id)
                i = heads[i]
            assert [w.id for w in word.ancestors] == above
            assert [w.id for w in word.children] == [i for i, h in enumerate(heads) if i and h == word.id]
        for word in sentence:
            assert [w.id for w in word.subtree] == sorted(below[word.id])
        for a in sentence:
            for b in sentence:
                path = a.path(b)
                assert path[0] == a and path[-1] == b
                assert len({w.id for w in path}) == len(path)
                for x, y in zip(path, path[1:]):
                    assert heads[x.id] == y.id or heads[y.id] == x.id
        assert [w.id for w in sentence.word(0).subtree] == list(range(len(sentence) + 1))


def test_sentences_are_sequences(nlp):
    sentence = nlp("I saw Al.")[0]
    assert sentence[-1].text == "." and [w.text for w in sentence[1:3]] == ["saw", "Al"]
    assert sentence[0] == sentence.word(1) and hash(sentence[0]) == hash(sentence.word(1))
    assert sentence[0] != sentence[1] and sentence[0] != 1
    for bad in (4, -5, 10**30):
        with pytest.raises(IndexError):
            sentence[bad]
    with pytest.raises(IndexError):
        sentence.word(5)
    with pytest.raises((IndexError, OverflowError)):
        sentence.word(10**30)
    with pytest.raises(TypeError):
        sentence["a"]
    with pytest.raises(ValueError):
        sentence[0].path(nlp("No.")[0][0])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pipe_is_in_order(nlp, threads):
    texts = [f"{TEXTS[i % len(TEXTS)]} Number {i}." for i in range(500)]
    for text, doc in zip(texts, nlp.pipe(iter(texts), threads=threads), strict=True):
        assert doc.text == text
        assert any(str(word.text) == text.split()[-1][:-1] for word in doc[-1])
    assert [d.to_conllu() for d in nlp.pipe(texts[:20], threads=threads)] == [
        nlp(text).to_conllu() for text in texts[:20]
    ]


def test_pipe_streams(nlp):
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield f"Text {taken}."

    docs = nlp.pipe(endless(), threads=2)
    for _ in range(1000):
        next(docs)
    assert taken < 1000 + 64 * 6
    docs.close()


def test_pipe_tells_errors_in_their_place(nlp):
    good = "1\tGood\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    texts = [good, good + "1\tbad\n\n", good]
    with pytest.raises(dodona.InputError, match="text:3"):
        list(nlp.pipe(texts, input="conllu"))
    first, error, last = nlp.pipe(texts, threads=2, errors="return", input="conllu")
    assert isinstance(error, dodona.InputError) and error.line == 3 and error.file == "text"
    assert (len(first), len(last)) == (1, 1)

    def raises():
        yield "One."
        raise KeyError("mine")

    for threads in (1, 2):
        with pytest.raises(KeyError, match="mine"):
            list(nlp.pipe(raises(), threads=threads))


def test_other_inputs(nlp, treebank):
    text = "I saw Al .\nHe waved ."
    for input in ("tokens", "presegmented", "conllu"):
        given = treebank[1].read_text() if input == "conllu" else text
        (doc,) = nlp.pipe([given], input=input)
        assert doc.to_conllu() == run("parse", "--quiet", "--input", input, input=given.encode())


def test_parse_words(nlp):
    words = [["I", "saw", "Al"], ["He", "waved"]]
    first, second = nlp.parse_words(words)
    text = "\n".join(map(" ".join, words)) + "\n"
    assert first.to_conllu() + second.to_conllu() == run(
        "parse", "--quiet", "--input", "tokens", input=text.encode()
    )


def test_keep_holds_what_is_given(nlp):
    words = ["I", "saw", "Al", "with", "Joe", "."]
    for head, deprel in ((2, "nmod"), (3, "nmod"), (2, None), (None, "conj")):
        (sentence,) = nlp.parse_words([words], keep=[{5: (head, deprel)}])
        word = sentence.word(5)
        assert head in (None, word.head_id) and deprel in (None, word.deprel)
    with pytest.raises(ValueError, match="6 words"):
        nlp.parse_words([words], keep=[{7: (2, "obj")}])
    with pytest.raises(dodona.Error):
        nlp.parse_words([words], keep=[{1: (2, None), 2: (1, None)}])


def test_kbest_and_confidence(treebank, tmp_path):
    path = tmp_path / "beam.model"
    train, dev = treebank
    dodona.train(train=train, dev=dev, model=path, search="dp", iterations=2, system="arc-standard")
    model = dodona.load(path)
    sentences = list(dodona.read_conllu(dev))[:20]
    parsed = model.parse(sentences, kbest=3, confidence=True)
    given = tmp_path / "some.conllu"
    dodona.write(sentences, given)
    printed = run("parse", "--quiet", "--model", path, "--kbest", 3, "--confidence", given)
    assert "".join(s.to_conllu() for s in parsed) == printed
    for sentence in parsed:
        assert 1 <= len(sentence.trees) <= 3
        scores = [tree.score for tree in sentence.trees]
        assert scores == sorted(scores, reverse=True)
        assert sentence.trees[0].heads == sentence.heads
        assert sentence.trees[0].deprels == [word.deprel for word in sentence]
        assert all(0 <= word.confidence <= 1 for word in sentence)
    assert model.parse(sentences)[0][0].confidence is None
    forest = dodona.Forest(model.parse(sentences[:1], forest=True)[0].forest)
    assert next(iter(forest)).heads == parsed[0].heads
    assert forest.count >= len(parsed[0].trees)


def test_options_of_parsing(nlp, small):
    doc = nlp.with_options(steps="tokenize")("I saw Al. He waved.")
    assert len(doc) == 2 and doc[0][0].upos == "" and doc[0][0].head is None
    assert doc[0].heads == [None] * 4 and doc[0].root is None
    tagged = nlp.with_options(steps=["tokenize", "tag"])("I saw Al.")
    assert tagged[0][0].upos == "PRON" and tagged[0][0].head_id is None
    for options in ({"search": "no"}, {"beam": -1}, {"beam": 10**30}, {"steps": "no"}, {"kbest": 1.5}):
        with pytest.raises((ValueError, TypeError)):
            nlp.with_options(**options)
    with pytest.raises(TypeError, match="no option 'bean'"):
        nlp.with_options(bean=1)
    with pytest.raises(dodona.ModelError, match="tokenizer"):
        dodona.load(small)("Text.")


def test_to_pandas(nlp):
    frame = nlp(TEXTS[0]).to_pandas()
    assert list(frame["form"])[:3] == ["I", "saw", "Al"]
    assert list(frame["sentence"]) == [1] * 6 + [2] * 3
    assert frame["head"].dtype == int and frame["start"].dtype == int


def test_pictures(nlp):
    doc = nlp(TEXTS[0])
    shown = doc.to_displacy()
    assert [w["text"] for w in shown[0]["words"]] == ["I", "saw", "Al", "with", "Joe", "."]
    assert doc[0].to_displacy() == shown[0]
    assert doc._repr_html_().startswith("<svg") and doc[0]._repr_html_().startswith("<svg")
    assert "saw" in str(doc) and "Doc of 2" in repr(doc) and "'saw'" in repr(doc[0][1])


def test_pickles(nlp):
    doc = nlp(TEXTS[1])
    assert pickle.loads(pickle.dumps(doc)) == doc
    word = pickle.loads(pickle.dumps(doc[0][1]))
    assert word.text == doc[0][1].text and word.sentence == doc[0]
    again = pickle.loads(pickle.dumps(nlp.with_options(search="greedy")))
    assert again(TEXTS[1]) == doc and again.options == {"search": "greedy"}


def test_threads_share_a_model(nlp):
    expected = [nlp(text).to_conllu() for text in TEXTS]
    wrong = []

    def work():
        for _ in range(10):
            for text, want in zip(TEXTS, expected):
                if nlp(text).to_conllu() != want:
                    wrong.append(text)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_model_tells_what_it_is(nlp):
    printed = json.loads(run("inspect", "--json"))
    assert nlp.metadata["system"] == json.dumps(printed["metadata"]["system"]).strip('"')
    assert "nsubj" in nlp.labels and nlp.templates and sum(nlp.sections.values()) > 10**6


TREEBANK = ROOT.parent / "shared" / "treebanks" / "en_ewt"


@pytest.mark.skipif(not TREEBANK.exists(), reason="../shared/treebanks/en_ewt is not there")
def test_a_whole_treebank_is_parsed_as_by_the_command(nlp, tmp_path):
    path = TREEBANK / "test.conllu"
    printed = run("parse", "--quiet", "-j", 2, path)
    assert "".join(s.to_conllu() for s in nlp.parse(dodona.read_conllu(path))) == printed
    text = run("convert", "--quiet", "--output", "text", path)
    printed = run("parse", "--quiet", "--input", "text", input=text.encode())
    assert nlp(text).to_conllu() == printed
