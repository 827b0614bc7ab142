# SPDX-License-Identifier: MIT
"""The component `dodona` of spaCy pipelines.

    nlp = spacy.blank("en")
    nlp.add_pipe("dodona")                               # tokens and sentences of Dodona
    nlp.add_pipe("dodona", config={"tokens": "spacy"})   # those of the pipeline before it
"""

from __future__ import annotations

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ._doc import Sentence
from ._model import Model


@Language.factory("dodona", default_config={"model": "english", "tokens": "dodona"})
def make(nlp: Language, name: str, model: str, tokens: str) -> Component:
    if tokens not in ("dodona", "spacy"):
        raise ValueError(f"tokens is {tokens!r}; expected 'dodona' or 'spacy'")
    return Component(Model(model), tokens == "spacy")


class Component:
    """Fills tags, morphology, lemmas, heads, relations and sentence starts.

    With Dodona's tokens the document is a new one: words of multiword tokens ("can't") are tokens,
    and any white space between tokens becomes a space.  With spaCy's tokens the document's own
    sentences are kept where it has them, else it is one sentence; tokens of white space hang from
    the token before them.
    """

    def __init__(self, model: Model, own_tokens: bool) -> None:
        self._model = model
        self._own_tokens = own_tokens

    def __call__(self, doc: Doc) -> Doc:
        if self._own_tokens:
            return self._tag(doc)
        words, spaces = [], []
        parsed = self._model(doc.text)
        for sentence in parsed:
            for word in sentence:
                if spaces and word.start is not None:
                    spaces[-1] = word.start > end
                words.append(word.text)
                spaces.append(False)
                end = word.end
        columns = _columns(list(parsed), [list(range(len(s))) for s in parsed])
        made = Doc(doc.vocab, words=words, spaces=spaces, **columns)
        made.user_data.update(doc.user_data)
        return made

    def _tag(self, doc: Doc) -> Doc:
        spans = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
        seen = [[t.i - span.start for t in span if not t.is_space] for span in spans]
        words = [[span[i].text for i in own] for span, own in zip(spans, seen)]
        parsed = self._model.parse_words(words)
        columns = _columns(parsed, seen, [len(span) for span in spans])
        made = Doc(
            doc.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc], **columns
        )
        made.user_data.update(doc.user_data)
        return made


def _columns(
    sentences: list[Sentence], places: list[list[int]], sizes: list[int] | None = None
) -> dict[str, list[Any]]:
    """What spaCy's Doc takes.  Word k of a sentence is its token places[k]; what is no word is white
    space, and hangs from the token before it, or from the one behind it at the beginning."""
    names = ("tags", "pos", "morphs", "lemmas", "heads", "deps", "sent_starts")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    first = 0
    for number, (sentence, places_of) in enumerate(zip(sentences, places)):
        size = len(sentence) if sizes is None else sizes[number]
        rows: dict[int, tuple] = {}
        for word, at in zip(sentence, places_of):
            head = at if not word.head_id else places_of[word.head_id - 1]
            deprel = "ROOT" if word.is_root else word.deprel
            rows[at] = (word.xpos, word.upos, word._feats, word.lemma, first + head, deprel)
        for at in range(size):
            beside = first + (at - 1 if at else min(1, size - 1))
            row = rows.get(at) or ("_SP", "SPACE", "", " ", beside, "dep")
            for name, value in zip(names, row):
                columns[name].append(value)
            columns["sent_starts"].append(at == 0)
        first += size
    return columns
