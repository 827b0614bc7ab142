# SPDX-License-Identifier: MIT
"""How fast nlp.pipe is when every word is looked at, beside the command on the same text.

    build/venv/bin/python bench/pipe.py TEXT [build/dodona]

The paragraphs of TEXT are the documents, 10,000 at most.  Times are those of the processor, the model's
opening included for the command alone.
"""

import resource
import subprocess
import sys
import tempfile
import time

import dodona


def paragraphs(path):
    with open(path, encoding="utf-8") as file:
        return [p for p in file.read().split("\n\n") if p.strip()][:10_000]


def python_time(docs):
    nlp = dodona.load()
    words = letters = 0
    began = time.process_time()
    for doc in nlp.pipe(docs):
        for sentence in doc:
            for word in sentence:
                words += 1
                letters += len(word.text) + len(word.upos) + len(word.deprel) + word.head.id + word.start
    return words, time.process_time() - began


def command_time(docs, command):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("\n\n".join(docs) + "\n")
        file.flush()
        subprocess.run(
            [command, "parse", "--quiet", "--input", "text", file.name],
            stdout=subprocess.DEVNULL,
            check=True,
        )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    docs = paragraphs(sys.argv[1])
    words, python = python_time(docs)
    command = command_time(docs, sys.argv[2] if len(sys.argv) > 2 else "build/dodona")
    print(f"{'':8}{'seconds':>10}{'words/s':>10}   {len(docs)} documents, {words} words")
    for name, seconds in (("python", python), ("command", command)):
        print(f"{name:8}{seconds:10.2f}{words / seconds:10.0f}")


main()
