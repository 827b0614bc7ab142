# SPDX-License-Identifier: MIT
"""What the tests share: the command, the generator's treebank, a small model."""

import os
import pathlib
import subprocess

import pytest

import dodona

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("DODONA_BUILD", ROOT / "build"))


def run(*args, input=None):
    """What the command prints."""
    done = subprocess.run(
        [BUILD / "dodona", *map(str, args)], input=input, capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.fixture(scope="session")
def nlp():
    return dodona.load()


@pytest.fixture(scope="session")
def treebank(tmp_path_factory):
    """Generated sentences: (train, dev)."""
    folder = tmp_path_factory.mktemp("treebank")
    paths = []
    for seed, name, count in ((1, "train.conllu", 300), (2, "dev.conllu", 100)):
        text = subprocess.run(
            [BUILD / "tools" / "generate", "--seed", str(seed), "--sentences", str(count)],
            capture_output=True,
            check=True,
        ).stdout
        (folder / name).write_bytes(text)
        paths.append(folder / name)
    return paths


@pytest.fixture(scope="session")
def small(treebank, tmp_path_factory):
    """A model that was trained on them by the command."""
    path = tmp_path_factory.mktemp("model") / "small.model"
    run("train", "--quiet", "--train", treebank[0], "--iterations", "2", "--model", path)
    return path


TEXTS = [
    "I saw Al with Joe. He waved.",
    "Don't stop — it can't be that “naïve”, she'd said.\n\nA new paragraph 🙂 starts here.\n",
    "One.\r\nTwo lines, and\r\nthree.",
    "",
    " \n\t\n",
    "日本語のテキスト。 Ωραία!",
    "word " * 300,
    "e\u0301tude and \U0001f469\u200d\U0001f4bb code.",
]
