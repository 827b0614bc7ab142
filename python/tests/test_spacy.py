# SPDX-License-Identifier: MIT
"""The component of spaCy pipelines has what a document of ours has."""

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

import dodona.spacy  # noqa: E402  (registers the component where the package is not installed)

TEXT = "I saw Al with Joe.  He can't wave!"


def rows(doc):
    return [
        (t.text, t.lemma_, t.pos_, t.tag_, str(t.morph), t.head.i - t.sent.start, t.is_sent_start)
        for t in doc
        if not t.is_space
    ]


def expected(sentences):
    return [
        (
            w.text, w.lemma, w.upos, w.xpos, "|".join(sorted(w._feats.split("|"), key=str.lower)),
            (w.head_id or w.id) - 1, w.id == 1,
        )
        for sentence in sentences
        for w in sentence
    ]  # fmt: skip


def test_on_text(nlp):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("dodona")
    for text in (TEXT, "", " ", "A.\n\nB."):
        doc = pipeline(text)
        assert rows(doc) == expected(nlp(text))
    doc = pipeline(TEXT)
    assert [sent.root.text for sent in doc.sents] == ["saw", "wave"]
    assert doc.text == "I saw Al with Joe. He can't wave!"
    assert [d.text for d in pipeline.pipe([TEXT, "One."])][1] == "One."


def test_on_spacys_tokens(nlp):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("dodona", config={"tokens": "spacy"})
    doc = pipeline(TEXT)
    assert doc.text == TEXT
    words = [[t.text for t in sent if not t.is_space] for sent in doc.sents]
    found = [(t.text, t.head.text, t.pos_) for t in doc if not t.is_space]
    wanted = [
        (w.text, w.text if w.is_root else w.head.text, w.upos)
        for s in nlp.parse_words(words)
        for w in s
    ]
    assert found == wanted
    assert [t.pos_ for t in doc if t.is_space] == ["SPACE"]
    alone = spacy.blank("en")
    alone.add_pipe("dodona", config={"tokens": "spacy"})
    for text in ("", " ", "  A tree.", "A tree. "):
        assert alone(text).text == text


def test_options():
    with pytest.raises(ValueError):
        spacy.blank("en").add_pipe("dodona", config={"tokens": "no"})
    assert dodona.spacy.Component
