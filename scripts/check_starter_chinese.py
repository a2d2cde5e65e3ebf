"""Compare the Chinese starter quotations with the texts of the npm package ``chinese-poetry``.

The package (2.0.1, MIT) holds the Complete Tang and Song poems, Song ci, the Four Books, the
Classic of Poetry, the Songs of Chu, Guwen Guanzhi and smaller books. It is not needed to run
Quill; fetch it once with ``npm pack chinese-poetry@2.0.1`` and give the archive, or the folder
it unpacks to::

    python scripts/check_starter_chinese.py chinese-poetry-2.0.1.tgz

Every quotation ends in one of four states:

verbatim
    The same characters stand in a passage of the same author (or, for anonymous classics, of
    the same work), after folding script and punctuation.
variant
    Editions differ, and `ACCEPTED` says which reading the starter follows, and why.
not checkable
    The package does not hold the work.
failed
    The package holds the work or something very close, but not these words.

Exit status 1 when anything failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

STARTER = Path(__file__).parents[1] / "quill_ls" / "data"
CHINESE = {"zh", "lzh"}

NEAR = 0.6
"""Share of a quotation's characters that a passage must align with to count as its place."""

ACCEPTED: dict[str, str] = {
    "不以规矩，不能成方圆。": "员 is the old form of 圆",
    "孔子登东山而小鲁，登泰山而小天下。": "太山 is the old name of 泰山",
    "大鹏一日同风起，扶摇直上九万里。": "school editions follow the reading 扶摇",
    "春风又绿江南岸，明月何时照我还？": "又绿 is the reading that everybody quotes",
    "两情若是久长时，又岂在朝朝暮暮！": "久长 in Quan Song ci and school editions",
    "莫道不销魂，帘卷西风，人比黄花瘦。": "人比 in school editions",
    "生当作人杰，死亦为鬼雄。": "school editions; the Song poems swap 作 and 为",
    "青山遮不住，毕竟东流去。": "东流 in school editions",
}
"""Quotation → why the starter's reading stands although the package prints another one."""

BOOKS = {
    "lunyu": "论语",
    "mengzi": "孟子",
    "daxue": "大学",
    "zhongyong": "中庸",
    "shijing": "诗经",
    "chuci": "楚辞",
    "youmengying": "幽梦影",
    "zhuzijiaxun": "治家格言",
}
"""Files that are one book, and the book's title."""

AUTHORS = {"caocao": "曹操", "zhuzijiaxun": "朱柏庐", "youmengying": "张潮"}
"""Files that are one author's, where the entries do not name the author."""

SAME_PERSON = {"太宗皇帝": "李世民", "陶潜": "陶渊明", "李后主": "李煜"}

SAME_CHARACTER = str.maketrans("於説淸爲麽郤彫銷踰傅茍沈聴漫", "于说清为么隙凋消逾附苟沉听曼")
"""Variant characters that OpenCC leaves as they are, or that editions use for one another."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One poem, chapter or essay: folded text, and whose it is."""

    text: str
    author: str
    title: str
    book: str
    volume: str


class Folder:
    """Folds text to simplified Han characters only, character by character.

    Conversion goes through a table of single characters, since OpenCC's phrase rules would fold
    the same line differently in two contexts, and 300 MB would take minutes.
    """

    def __init__(self) -> None:
        from opencc import OpenCC

        self._convert = OpenCC("t2s").convert
        self._table: dict[int, str] = {}

    def __call__(self, text: str) -> str:
        """Return the simplified Han characters of `text`, nothing else."""
        for character in set(text):
            if ord(character) not in self._table:
                self._table[ord(character)] = self._fold(character)
        return text.translate(self._table)

    def _fold(self, character: str) -> str:
        if unicodedata.category(character) != "Lo":
            return ""
        simplified: str = self._convert(character.translate(SAME_CHARACTER))
        return simplified.translate(SAME_CHARACTER)


def documents(package: Path) -> Iterator[tuple[str, Any]]:
    """Yield (name, parsed JSON) of every text file in the archive or folder."""
    if package.is_dir():
        for path in sorted(package.rglob("*.json")):
            if wanted(path.as_posix()):
                yield path.stem, json.loads(path.read_text("utf-8"))
        return
    with tarfile.open(package) as archive:
        for member in archive:
            if wanted(member.name) and (stream := archive.extractfile(member)) is not None:
                yield Path(member.name).stem, json.loads(stream.read())


def wanted(name: str) -> bool:
    return (
        name.endswith(".json")
        and "/dist/" in name
        and not any(part in name for part in ("/error/", "/rank/", "author", "表面结构字"))
    )


def passages(node: Any, inherited: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Walk one document; yield each run of lines with the author, title and volume above it."""
    if isinstance(node, list):
        if node and all(isinstance(line, str) for line in node):
            yield "".join(node), inherited
        else:
            for item in node:
                yield from passages(item, inherited)
    elif isinstance(node, dict):
        here = dict(inherited)
        for key, field in (
            ("title", "title"),
            ("rhythmic", "title"),
            ("chapter", "title"),
            ("author", "author"),
            ("volume", "volume"),
        ):
            if isinstance(value := node.get(key), str) and value:
                here[field] = value
        for key in ("paragraphs", "content", "para"):
            value = node.get(key)
            if isinstance(value, str):
                yield value, here
            elif value is not None:
                yield from passages(value, here)


def read_package(package: Path, fold: Folder) -> list[Passage]:
    found = []
    for name, document in documents(package):
        top = {"author": AUTHORS.get(name, ""), "title": BOOKS.get(name, ""), "volume": ""}
        for text, facts in passages(document, top):
            author = fold(facts["author"].split("）")[-1].split("：")[-1])
            found.append(
                Passage(
                    text=fold(text),
                    author=SAME_PERSON.get(author, author),
                    title=fold(facts["title"]),
                    book=BOOKS.get(name, name),
                    volume=facts["volume"],
                )
            )
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """The state of one quotation, with what the package prints."""

    state: str
    note: str
    passage: Passage | None = None


class Checker:
    """Looks quotations up in the package's passages."""

    def __init__(self, found: list[Passage], fold: Folder) -> None:
        self.fold = fold
        self.by_author: dict[str, list[Passage]] = defaultdict(list)
        self.by_book: dict[str, list[Passage]] = defaultdict(list)
        for passage in found:
            self.by_author[passage.author].append(passage)
            self.by_book[passage.book].append(passage)

    def check(self, row: dict[str, Any]) -> Outcome:
        """Return the state of one line of the starter."""
        wanted_text = self.fold(row["text"])
        titles = {self.fold(part) for part in (row["work"], *row["work"].split("·")) if part}
        places = self._places(row, titles)
        # Guwen Guanzhi names its pieces and their authors in its own way, so it may confirm the
        # words of any prose, but it cannot refute them: it quotes other books from memory.
        for passage in (*places, *self.by_book["guwenguanzhi"]):
            if wanted_text in passage.text:
                return Outcome("verbatim", place(passage), passage)
        printed, origin = nearest(wanted_text, places)
        if printed:
            if row["text"] in ACCEPTED:
                return Outcome("variant", f"{printed}; {ACCEPTED[row['text']]}", passage)
            return Outcome("failed", f"the package has {printed}", origin)
        if any(passage.title in titles or passage.book in titles for passage in places):
            return Outcome("failed", "the package has the work, without these words")
        return Outcome("not checkable", "the package does not hold the work")

    def _places(self, row: dict[str, Any], titles: set[str]) -> list[Passage]:
        """Passages that are the author's, or the named book's."""
        places = list(self.by_author.get(self.fold(row["author"]), ())) if row["author"] else []
        for title in titles:
            places += self.by_book.get(title, ())
        return places


def place(passage: Passage) -> str:
    volume = f" {passage.volume}" if passage.volume else ""
    return f"{passage.author}《{passage.title}》{volume}"


def nearest(wanted_text: str, places: list[Passage]) -> tuple[str, Passage | None]:
    """Return the printed words closest to `wanted_text`, or ("", None) when nothing is close."""
    pairs = {wanted_text[i : i + 2] for i in range(len(wanted_text) - 1)}
    best: tuple[float, str, Passage | None] = (NEAR, "", None)
    for passage in places:
        if sum(pair in passage.text for pair in pairs) < 0.4 * len(pairs):
            continue
        matcher = SequenceMatcher(None, wanted_text, passage.text, autojunk=False)
        anchor = matcher.find_longest_match()
        start = max(0, anchor.b - anchor.a)
        printed = passage.text[start : start + len(wanted_text)]
        share = SequenceMatcher(None, wanted_text, printed, autojunk=False).ratio()
        if share > best[0]:
            best = (share, printed, passage)
    return best[1], best[2]


def read_starter(path: Path | None) -> list[dict[str, Any]]:
    """Read the Chinese lines of the starter, from `path` or the project's own."""
    if path is None:
        path = STARTER / "starter.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return [row for row in rows if row["language"] in CHINESE]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path, help="chinese-poetry-2.0.1.tgz, or its folder")
    parser.add_argument("--starter", type=Path, help="the JSONL file to check")
    parser.add_argument("--all", action="store_true", help="print verbatim ones too")
    arguments = parser.parse_args()
    if not arguments.package.exists():
        parser.error(f"{arguments.package} does not exist")

    fold = Folder()
    checker = Checker(read_package(arguments.package, fold), fold)
    states: Counter[str] = Counter()
    for row in read_starter(arguments.starter):
        outcome = checker.check(row)
        states[outcome.state] += 1
        if arguments.all or outcome.state in ("variant", "failed"):
            print(f"{outcome.state:14}{row['text']}  [{row['author']}《{row['work']}》]")
            print(f"{'':14}{outcome.note}")
    for state in ("verbatim", "variant", "not checkable", "failed"):
        print(f"{state:14}{states[state]:5}")
    return 1 if states["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
