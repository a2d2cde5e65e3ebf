"""What a writer asks of a quotation: the inside of a placeholder.

``[Q: courage in old age]`` holds free words, ``[Q: author="Seneca" topic=anger lang=zh]`` wishes
by key, and both may be mixed. What cannot be understood is reported with its place, and the rest
still counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from quill_ls.store.records import TIERS, Tier
from quill_ls.text.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a placeholder asks for; an empty value asks for nothing.

    Attributes
    ----------
    words
        Free words: what the quotation should be about.
    author, work
        Names as the writer gave them.
    topics
        One word or phrase each.
    language
        "en", "zh", "lzh" or another BCP 47 tag.
    tiers
        The tiers that are welcome.
    max_length
        The most characters that the quotation may have, or None.
    """

    words: str = ""
    author: str = ""
    work: str = ""
    topics: tuple[str, ...] = ()
    language: str = ""
    tiers: tuple[Tier, ...] = ()
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class WishProblem:
    """A wish that cannot be understood.

    Attributes
    ----------
    span
        Its place: in the text that was parsed, or in the source where a `Placeholder` carries it.
    message
        One sentence that says what is wrong and what to write instead.
    """

    span: Span
    message: str


_KEYS = {
    "author": "author",
    "by": "author",
    "作者": "author",
    "work": "work",
    "作品": "work",
    "出处": "work",
    "出處": "work",
    "topic": "topic",
    "topics": "topic",
    "主题": "topic",
    "主題": "topic",
    "lang": "lang",
    "language": "lang",
    "语言": "lang",
    "語言": "lang",
    "tier": "tier",
    "tiers": "tier",
    "来源": "tier",
    "max": "max",
    "最长": "max",
    "最長": "max",
}
_KEY_LIST = "author, work, topic, lang, tier or max"

_LANGUAGES = {
    "en": "en english 英文 英语 英語",
    "zh": "zh chinese modern 中文 汉语 漢語 现代 現代 白话 白話 zh-cn zh-tw zh-hans zh-hant",
    "lzh": "lzh classical classical-chinese 文言 文言文 古文 古诗 古詩 古代",
    "ar": "ar arabic",
    "de": "de german deutsch 德语 德文",
    "el": "el greek",
    "es": "es spanish español",
    "fa": "fa persian",
    "fr": "fr french français 法语 法文",
    "grc": "grc ancient-greek",
    "he": "he hebrew",
    "hi": "hi hindi",
    "it": "it italian italiano",
    "ja": "ja japanese 日语 日文 日本語",
    "ko": "ko korean",
    "la": "la latin 拉丁语 拉丁文",
    "nl": "nl dutch",
    "pl": "pl polish",
    "pt": "pt portuguese",
    "ru": "ru russian 俄语 俄文",
    "sa": "sa sanskrit",
    "sv": "sv swedish",
    "tr": "tr turkish",
}
_LANGUAGE_OF = {name: tag for tag, names in _LANGUAGES.items() for name in names.split()}

_CLOSING = {
    '"': '"”',
    "“": '”"',
    "”": '”"',
    "„": "“”",
    "'": "'’",
    "‘": "’'",
    "「": "」",
    "『": "』",
    "《": "》",
    "«": "»",
}
_LATEX_QUOTES = re.compile(r"``(.*?)(?:''|\")", re.DOTALL)
_KEY = re.compile(
    # A key is followed by "="; a colon will do after a Chinese one, where it is usual.
    r"(?<![\w=＝])(?:(?P<key>[^\W\d_][\w-]*)\s*[=＝]\s*"
    r"|(?P<chinese>作者|作品|出处|出處|主题|主題|语言|語言|最长|最長)\s*[:：]\s*)"
)
_BARE = re.compile(r"[^\s;；]*")
_SEPARATORS = " \t\r\n,，;；、"
_LIST_SEPARATOR = re.compile(r"[,，、;；]")


def parse_wishes(text: str) -> tuple[Wishes, tuple[WishProblem, ...]]:
    """Read the inside of a placeholder, what follows its colon.

    Returns
    -------
    tuple[Wishes, tuple[WishProblem, ...]]
        The wishes that could be understood, and the others, with spans in `text`.
    """
    reader = _Reader(text)
    reader.read()
    return reader.wishes, tuple(reader.problems)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.wishes = Wishes()
        self.problems: list[WishProblem] = []
        self.given: set[str] = set()

    def read(self) -> None:
        words: list[str] = []
        position = 0
        while key := _KEY.search(self.text, position):
            words.append(self.text[position : key.start()])
            name = key["key"] or key["chinese"]
            value, position = self.value(key, name)
            self.wish(name, key, value)
        words.append(self.text[position:])
        kept = (" ".join(part.split()).strip(_SEPARATORS) for part in words)
        self.wishes = replace(self.wishes, words=" ".join(filter(None, kept)))

    def value(self, key: re.Match[str], name: str) -> tuple[Span, int]:
        """Return the span of the value after a key, and where to read on."""
        start = key.end()
        if latex := _LATEX_QUOTES.match(self.text, start):
            return Span(*latex.span(1)), latex.end()
        closing = _CLOSING.get(self.text[start : start + 1])
        if closing is None:
            # White space after the sign and then another key: the value is missing.
            if _KEY.match(self.text, start):
                return Span(start, start), start
            bare = _BARE.match(self.text, start)
            end = bare.end() if bare else start
            while end > start and self.text[end - 1] in _SEPARATORS:
                end -= 1
            return Span(start, end), end
        ends = [self.text.find(mark, start + 1) for mark in closing]
        end = min((found for found in ends if found >= 0), default=-1)
        next_key = _next_key(self.text, start + 1)
        if end < 0 or (next_key >= 0 and _opens_a_value(self.text, end)):
            end = next_key if next_key >= 0 else len(self.text)
            value = self.text[start + 1 : end].strip()
            self.problem(
                start,
                start + 1 + len(self.text[start + 1 : end].rstrip()),
                f"This quotation mark is not closed: write {name}={_quoted(value)}.",
            )
            return Span(start + 1, end), end
        return Span(start + 1, end), end + 1

    def wish(self, name: str, key: re.Match[str], span: Span) -> None:
        value = " ".join(span.of(self.text).split())
        known = _KEYS.get(name.lower())
        whole = (key.start(), max(span.end, key.start() + len(name)))
        if known is None:
            near = get_close_matches(name.lower(), _KEYS, n=1, cutoff=0.6)
            instead = f"write {near[0]}" if near else f"write {_KEY_LIST}"
            self.problem(key.start(), key.start() + len(name), f'There is no "{name}": {instead}.')
            return
        if not value:
            example = {"max": "120", "lang": "en", "tier": "sourced"}.get(known, '"…"')
            self.problem(
                key.start(),
                key.start() + len(key[0].rstrip()),
                f"{name} has no value: write {name}={example}, or leave it out.",
            )
            return
        if known in self.given and known in ("author", "work", "lang", "max"):
            self.problem(*whole, f"{name} is given twice: leave one out; the first one counts.")
            return
        problems = len(self.problems)
        take: Callable[[str, Span], None] = getattr(self, f"take_{known}")
        take(value, span)
        if len(self.problems) == problems:  # one that was not understood may be given again
            self.given.add(known)

    def take_author(self, value: str, span: Span) -> None:
        self.wishes = replace(self.wishes, author=value)

    def take_work(self, value: str, span: Span) -> None:
        self.wishes = replace(self.wishes, work=value.strip("《》"))

    def take_topic(self, value: str, span: Span) -> None:
        topics = [topic for topic, _ in self.listed(span) if topic not in self.wishes.topics]
        self.wishes = replace(self.wishes, topics=(*self.wishes.topics, *topics))

    def take_lang(self, value: str, span: Span) -> None:
        language = _LANGUAGE_OF.get("-".join(value.lower().replace("_", "-").split()))
        if language is None:
            self.problem(
                span.start,
                span.end,
                f'"{value}" is not a language that is known here: write en, zh (modern Chinese), '
                "lzh (classical Chinese), or another language's two-letter code.",
            )
            return
        self.wishes = replace(self.wishes, language=language)

    def take_tier(self, value: str, span: Span) -> None:
        for name, place in self.listed(span):
            tier = next((tier for tier in TIERS if tier == name.lower()), None)
            if tier is None:
                self.problem(
                    place.start,
                    place.end,
                    f'There is no tier "{name}": write {", ".join(TIERS[:-1])} or {TIERS[-1]}.',
                )
            elif tier not in self.wishes.tiers:
                self.wishes = replace(self.wishes, tiers=(*self.wishes.tiers, tier))

    def take_max(self, value: str, span: Span) -> None:
        if not value.isdecimal() or int(value) == 0:
            self.problem(
                span.start,
                span.end,
                f'"{value}" is not a number of characters: write a whole number above 0, '
                "as in max=120.",
            )
            return
        self.wishes = replace(self.wishes, max_length=int(value))

    def listed(self, span: Span) -> Iterator[tuple[str, Span]]:
        """Yield the members of a list, each with its place."""
        start = span.start
        for part in _LIST_SEPARATOR.split(span.of(self.text)):
            member = part.strip()
            if member:
                place = start + part.index(member)
                yield " ".join(member.split()), Span(place, place + len(member))
            start += len(part) + 1

    def problem(self, start: int, end: int, message: str) -> None:
        self.problems.append(WishProblem(Span(start, end), message))


def _next_key(text: str, start: int) -> int:
    """Return where the next known key begins, or -1."""
    for key in _KEY.finditer(text, start):
        if (key["key"] or key["chinese"]).lower() in _KEYS:
            return key.start()
    return -1


def _opens_a_value(text: str, mark: int) -> bool:
    """Whether the quotation mark at `mark` stands right after a key: it cannot close another."""
    return re.search(r"[=＝]\s*$", text[:mark]) is not None


def _quoted(value: str) -> str:
    return f'"{value}"'
