# SPDX-License-Identifier: MIT
"""Words, sentences and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Sequence

from . import _dodona

if TYPE_CHECKING:
    import pandas


class Pairs(dict):
    """The pairs of FEATS or MISC; a name that is not there has the value None."""

    __slots__ = ()

    def __missing__(self, name: str) -> None:
        return None

    @staticmethod
    def parse(text: str) -> "Pairs":
        pairs = Pairs()
        for item in text.split("|") if text else ():
            name, _, value = item.partition("=")
            pairs[name] = value
        return pairs


class Token(NamedTuple):
    """A token as it stands in the text: a word, or a multiword token, which is several."""

    first: int  # ids of its words
    last: int
    text: str
    misc: str
    start: int | None  # code points before it in the text
    end: int | None


class Tree(NamedTuple):
    """One of the best trees, with its score."""

    score: float
    heads: list[int]
    deprels: list[str]


class Word(_dodona.Word):
    """A word of a sentence: id, text, lemma, upos, xpos, feats, head, deprel, start, end.

    Word 0, whose text is ROOT, is above the tree: it is the head of the tree's root.  start and end
    are the place of the word's token in the text that was parsed, in code points.
    """

    __slots__ = ()

    @property
    def feats(self) -> Pairs:
        """Morphological features: word.feats["Number"], None where there is none."""
        return Pairs.parse(self._feats)

    @property
    def misc(self) -> Pairs:
        """What the column MISC has."""
        return Pairs.parse(self._misc)

    @property
    def deps(self) -> str:
        """The column DEPS of the enhanced graph; empty: none."""
        return self._deps

    @property
    def is_root(self) -> bool:
        """Whether it is the root of the tree, below word 0."""
        return self.head_id == 0

    @property
    def children(self) -> list[Word]:
        """The words whose head it is, from left to right."""
        sentence = self.sentence
        return [sentence.word(i) for i, h in enumerate(sentence.heads, 1) if h == self.id]

    @property
    def subtree(self) -> list[Word]:
        """The word and all words below it, from left to right."""
        sentence = self.sentence
        below = sentence._below(self.id)
        return [sentence.word(i) for i in sorted(below)]

    @property
    def ancestors(self) -> list[Word]:
        """Its head, the head of that, and so on up to the root of the tree."""
        return self._up()[1:]

    def _up(self) -> list[Word]:
        sentence = self.sentence
        heads, ids = sentence.heads, []
        i = self.id
        while i and i <= len(heads) and i not in ids:
            ids.append(i)
            i = heads[i - 1] or 0
        return [sentence.word(i) for i in ids]

    def path(self, other: Word) -> list[Word]:
        """The words on the way through the tree from this one to another, both included.

        Where the words hang from different roots, word 0 is on the way.
        """
        if other.sentence is not self.sentence:
            raise ValueError("the words are of different sentences")
        root = [self.sentence.word(0)]
        up, down = self._up() + root, other._up() + root
        meeting = next(w for w in up if w in down)
        return up[: up.index(meeting) + 1] + down[: down.index(meeting)][::-1]

    def __repr__(self) -> str:
        return f"<Word {self.id} {self.text!r}>"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple:
        return _word, (self.sentence, self.id)


def _word(sentence: Sentence, i: int) -> Word:
    return sentence.word(i)


def _column(value: Any) -> str | None:
    if isinstance(value, Mapping):
        return "|".join(f"{k}={v}" for k, v in sorted(value.items(), key=lambda p: p[0].lower()))
    return value


_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


class Written:
    """What sentences and documents have in common: the formats that they are written in."""

    __slots__ = ()

    def _sentences(self) -> list[Sentence]:
        raise NotImplementedError

    def to(self, format: str) -> str:
        """The text in a format: conllu, conllx, tokens, text, json, displacy, tree, svg, html, tikz."""
        return _dodona.write_text(self._sentences(), format)

    def to_conllu(self) -> str:
        """The same bytes as `dodona parse` writes."""
        return self.to("conllu")

    def to_pandas(self) -> pandas.DataFrame:
        """A row a word, with the number of the sentence and the columns of the words."""
        import pandas

        rows = [
            (
                n, w.id, w.text, w.lemma, w.upos, w.xpos, w._feats, w.head_id, w.deprel, w._deps,
                w._misc, w.start, w.end,
            )
            for n, sentence in enumerate(self._sentences(), 1)
            for w in sentence
        ]  # fmt: skip
        names = ("sentence", "id") + _COLUMNS + ("start", "end")
        return pandas.DataFrame.from_records(rows, columns=names)

    def _repr_html_(self) -> str:
        """The picture that a notebook shows."""
        return self.to("svg").partition("?>\n")[2] or self.to("svg")


class Sentence(Written, _dodona.Sentence):
    """A sequence of words, which does not change.  Sentence.make builds one."""

    __slots__ = ()

    @classmethod
    def make(cls, words: Iterable[str | Mapping[str, Any]], comments: Iterable[str] = ()) -> Sentence:
        """A sentence of words: forms, or mappings with form, lemma, upos, xpos, feats, head, deprel,
        deps and misc, of which all but form may be missing.  Comments begin with '#'."""
        rows = []
        for word in words:
            if isinstance(word, str):
                word = {"form": word}
            elif not isinstance(word, Mapping):
                raise TypeError(f"a word is a str or a mapping, not {type(word).__name__}")
            unknown = set(word) - set(_COLUMNS)
            if unknown:
                raise ValueError(f"a word has no column {sorted(map(str, unknown))[0]!r}")
            if not word.get("form"):
                raise ValueError("a word has no form")
            rows.append(tuple(_column(word.get(name)) for name in _COLUMNS))
        return cls._make(rows, list(comments))

    @staticmethod
    def from_conllu(text: str) -> Sentence:
        """The first sentence of a text in CoNLL-U."""
        for sentence in _read(text, False):
            return sentence
        raise ValueError("there is no sentence in the text")

    def _sentences(self) -> list[Sentence]:
        return [self]

    def _below(self, top: int) -> set[int]:
        heads = self.heads
        children: dict[int, list[int]] = {}
        for i, h in enumerate(heads, 1):
            if h is not None:
                children.setdefault(h, []).append(i)
        found, waiting = set(), [top]
        while waiting:
            i = waiting.pop()
            if i not in found:
                found.add(i)
                waiting += children.get(i, ())
        return found

    @property
    def text(self) -> str:
        """The comment `text`, or else the tokens with spaces between them where there were some."""
        text = self.meta("text")
        return self.to("text").rstrip("\n") if text is None else text

    @property
    def sent_id(self) -> str | None:
        """The comment `sent_id`."""
        return self.meta("sent_id")

    @property
    def root(self) -> Word | None:
        """The first word below word 0; None: there is none."""
        heads = self.heads
        return self.word(heads.index(0) + 1) if 0 in heads else None

    @property
    def tokens(self) -> list[Token]:
        """The tokens: words, or multiword tokens with the ids of their words."""
        return [Token(*token) for token in self._tokens()]

    @property
    def trees(self) -> list[Tree]:
        """The best trees, the best first, where kbest asked for them."""
        return [Tree(*tree) for tree in self._trees()]

    def to_dict(self) -> dict[str, Any]:
        """The object that `dodona parse --output json` writes."""
        import json

        return json.loads(self.to("json"))

    def to_displacy(self) -> dict[str, Any]:
        """What displacy.render(..., style="dep", manual=True) draws."""
        import json

        return json.loads(self.to("displacy"))

    def __iter__(self) -> Iterator[Word]:
        return map(self.word, range(1, len(self) + 1))

    def __repr__(self) -> str:
        return f"<Sentence of {len(self)} words: {self.text[:60]!r}>"

    def __str__(self) -> str:
        return self.to("tree").rstrip("\n")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self is other or self.to_conllu() == other.to_conllu()

    def __hash__(self) -> int:
        return hash(self.to_conllu())

    def __reduce__(self) -> tuple:
        return _restore, (self.to_conllu(),)


def _read(text: str, skip_bad: bool) -> Iterator[Sentence]:
    import io

    file = io.BytesIO(text.encode())
    return _dodona.Reader(file, "conllu", 0, skip_bad, None, False, None, Sentence)


def _restore(text: str) -> Sentence:
    """A sentence from what __reduce__ wrote of it; also an empty or a bad one."""
    sentences = list(_read(text, True))
    return sentences[0] if sentences else Sentence.make([])


_dodona.Sentence._use_word_type(Word)


class Doc(Written):
    """A sequence of sentences, and the text that they are of."""

    __slots__ = ("text", "sentences")

    def __init__(self, sentences: Sequence[Sentence], text: str | None = None) -> None:
        self.sentences = list(sentences)
        self.text = text

    def _sentences(self) -> list[Sentence]:
        return self.sentences

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, i: Any) -> Any:
        return self.sentences[i]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @property
    def words(self) -> Iterator[Word]:
        """All words of all sentences."""
        return (word for sentence in self.sentences for word in sentence)

    def to_dict(self) -> dict[str, Any]:
        """The text, and the sentences as `dodona parse --output json` writes them."""
        import json

        lines = self.to("json").splitlines()
        return {"text": self.text, "sentences": [json.loads(line) for line in lines]}

    def to_displacy(self) -> list[dict[str, Any]]:
        """What displacy.render(..., style="dep", manual=True) draws, an object a sentence."""
        import json

        return [json.loads(line) for line in self.to("displacy").splitlines()]

    def __repr__(self) -> str:
        return f"<Doc of {len(self)} sentences>"

    def __str__(self) -> str:
        return self.to("tree").rstrip("\n")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Doc):
            return NotImplemented
        return self.text == other.text and self.sentences == other.sentences

    __hash__ = None  # type: ignore[assignment]
