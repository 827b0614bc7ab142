# SPDX-License-Identifier: MIT
"""The examples of docs/python.md give what stands there."""

import doctest
import re
import shutil

from conftest import ROOT

PAGE = ROOT / "docs" / "python.md"


def test_examples(treebank, tmp_path, monkeypatch):
    for path in treebank:
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) > 5
    examples = "\n\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(examples, {}, "python.md", str(PAGE), 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0 and runner.tries > 20
