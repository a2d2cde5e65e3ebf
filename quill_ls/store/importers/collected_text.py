"""Cleans the words of quotations that were scraped: mends what is safe to mend, refuses the rest.

What users see of a popular collection is decided here. The rule is precision: a good quotation
lost costs little, there are many; a broken one that is suggested costs trust.
"""

from __future__ import annotations

import html
import re
from collections.abc import Container
from dataclasses import dataclass

from quill_ls.store.importers.dialogue import paired_quotes
from quill_ls.store.importers.plain import fault_of, one_line
from quill_ls.text.language import detect

MIN_LETTERS = 15
MIN_WORDS = 4
MAX_LENGTH = 280
MAX_RAW_LENGTH = MAX_LENGTH + 80
"""Longer raw texts are too long after any cleaning: it cuts page numbers and names only."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_MOJIBAKE = re.compile(r"â€|Ã[\x80-\xbf©¨]|Â[\xa0-\xbf ]|ï¿½|\ufffd")
_ADDRESS = re.compile(r"https?:|www\.|\w\.(?:com|net|org)\b|\S@\S|#\w|©", re.IGNORECASE)
_ADVERTISING = frozenset(
    ["isbn", "copyright", "facebook", "instagram", "kindle", "goodreads", "giveaway", "ebook"]
)
_MARKUP = re.compile(r"</?(?:i|b|em|strong|p|br)\s*/?>", re.IGNORECASE)
_ASTERISKS = re.compile(r"\*+(?=\S)([^*]+?)\*+")
_BULLET = re.compile(r"^(?:[-–—―*•·]+|\d{1,2}[.)]|[IVX]+\.)\s*(?=\S)")
_SPACE_BEFORE = re.compile(r"(?<=\w) +([,.;:!?])(?=\s|$)")
_PAGE = re.compile(
    r"\s*(?:[\[(]?\b(?:p|pp|pg|page|chapter|ch)\.? ?\d+(?:[-–]\d+)?[\])]?|\(\d+\))\.?$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:Act|Scene|Lines?|Verse|Psalms?|Book|Vol\.?) (?:[IVX]+|\d+)[-–:\d]*\W*$")

# "the soul.- Clary Fray", "(Socrates)", "by Seneca" at the end, where no sentence has room.
_NAME_WORD = r"(?:[A-Z][\w.'’]*|of|the|de|van|von|to|in|and|\w+ing)"
_NAME_AT_END = re.compile(
    rf"\s*(?P<mark>[-–—―~]{{1,3}}|\bby\b|[(\[])\s*(?P<name>{_NAME_WORD}(?: {_NAME_WORD}){{0,5}})"
    r"[)\].]?$"
)
_NAME_LENGTH = 60

_SOFT_GLUE = re.compile(r"(?<=[a-z]{2})([,;:.!?…])(?=(?:[A-Z][a-z'’]|I\b|A\b|O\b))")
_GLUED_CASE = re.compile(r"[A-Za-z]*[a-z]{2}[A-Z][a-z]+")
_CAMEL = re.compile(r"(?:Mc|Mac|De|Le|La|Di|Du|Da|Van|Fitz|O)[A-Z][a-z]+|i[A-Z]\w+|YouTube")
_HARD_GLUE = re.compile(
    r"[a-z][.,;:!?][a-z](?<!\b[ei]\.[eg])(?<!\b[ap]\.m)|[a-z]{2}\d+[A-Za-z]|[a-z]\d[A-Z]|"
    r"[\w.,;!?][)\]][A-Za-z]|[.,;!?][(\[]\w|\w[(\[]\w{4}|"
    r"[.,!?;]['’”\"][A-Za-z]|['’”\"]{2,}\w|[a-z]['’][A-Z][a-z]|\w[”“\"]\w"
)
_LOWER_WORD = re.compile(r"(?<![\w'’-])[a-z]{5,}(?![\w'’-])")

_SHORT_WORDS = frozenset(
    ["of", "to", "in", "is", "it", "on", "at", "by", "my", "we", "be", "or", "if", "so", "me", "us"]
)
INNER_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?![\w-])")
"""A capitalised word inside a sentence."""

_FRAGMENT_START = re.compile(r"^(?:[a-z]|\.\.|…|[,.;:)\]?!])")
_FRAGMENT_END = re.compile(r"(?:\.\.+|…|[,:;(\[–—-]|\b(?:and|or|but|the|a|an|of|to|with))$")
_NOT_TEXT = re.compile(r"[{}|\\^=<>_~*•●■★♥❤\u2600-\u27bf\U0001f000-\U0001faff]")
_CARELESS = re.compile(r"!!|\?\?|,,|;;|\.{5}|\.{4}\w|[!?],|\s'\s|(?:^|\s)i(?=[\s,.'’]|$)")
_CARELESS_WORDS = frozenset(
    ["u", "ur", "dont", "wont", "cant", "didnt", "doesnt", "isnt", "im", "ive", "youre", "thats"]
) | {"lol", "cuz", "plz", "alot", "wanna"}
_SHOUTED = re.compile(r"\b[A-Z]{4,}\b")
_SHOUTED_SHARE = 0.4
_SPEAKER = re.compile(r"(?:^|[.!?…'’”\"] ?)[A-Z][\w.]*(?: [A-Z][\w.]*)?: ")
_BRACKETS = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What a collection tells of its own words.

    Attributes
    ----------
    words
        Lower-case words that occur more than by chance.
    frequent
        Those that occur often: an unknown word made of two of them is two words that lost the
        line break between them.
    names
        Capitalised words inside sentences that several authors use: a name that only one uses is
        a character of his, and means nothing outside the book.
    """

    words: Container[str]
    frequent: Container[str]
    names: Container[str]


def clean(text: str, author: str, lexicon: Lexicon | None = None) -> tuple[str, str]:
    """Return the cleaned text and "", or what there is of it and why it is refused.

    Parameters
    ----------
    author
        Whose words they are: an attribution to him at the end is cut, one to another refused.
    lexicon
        What the collection tells of its words; None trusts them.
    """
    if len(text) > MAX_RAW_LENGTH:
        return text, "too long"
    if not text.isascii() and _MOJIBAKE.search(text):
        text = _demojibaked(text)
        if _MOJIBAKE.search(text):
            return text, "broken encoding"
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _MARKUP.sub("", text)
    text = one_line(text.replace("`", "'").replace("´", "'"))
    fault = fault_of(text)
    if fault:
        return text, fault
    words = {word.lower() for word in _WORD.findall(text)}
    if _ADDRESS.search(text) or not words.isdisjoint(_ADVERTISING):
        return text, "advertisement or address"
    if "*" in text:
        text = _ASTERISKS.sub(r"\1", text)
    text = _SPACE_BEFORE.sub(r"\1", _BULLET.sub("", text))
    for step in (_without_attribution, paired_quotes):
        text, fault = step(text, author)
        if fault:
            return text, fault
    if _PLACE.search(text, max(0, len(text) - _NAME_LENGTH)):
        return text, "ends in a reference"
    if any(char.isdigit() for char in text[-10:]):
        text = _PAGE.sub("", text)
    if len(text) > MAX_LENGTH:
        return text, "too long"
    text, fault = _unglued(text, lexicon)
    if lexicon is not None and not fault:
        for name in INNER_NAME.findall(text):
            if name not in lexicon.names and name.lower() not in lexicon.words:
                return text, "names a character"
    return text, fault or _fault(text, words)


def _fault(text: str, words: set[str]) -> str:
    if _FRAGMENT_START.match(text) or _FRAGMENT_END.search(text[-8:]):
        return "fragment of a sentence"
    if _NOT_TEXT.search(text):
        return "signs that are not text"
    if _CARELESS.search(text) or not words.isdisjoint(_CARELESS_WORDS):
        return "careless typing"
    letters = sum(map(str.isalpha, text))
    capitals = sum(map(str.isupper, text))
    if capitals > _SHOUTED_SHARE * letters or len(_SHOUTED.findall(text)) > 1:
        return "capitals"
    if letters < MIN_LETTERS or len(_WORD.findall(text)) < MIN_WORDS:
        return "too short"
    if not _balanced(text):
        return "unbalanced brackets"
    if ": " in text and len(_SPEAKER.findall(text)) > 1:
        return "dialogue"
    if detect(text) not in ("en", "und"):
        return "not English"
    return ""


def _demojibaked(text: str) -> str:
    """Undo UTF-8 that was read as Windows-1252."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def _without_attribution(text: str, author: str) -> tuple[str, str]:
    match = _NAME_AT_END.search(text, max(0, len(text) - _NAME_LENGTH))
    if match:
        said = text[: match.start()]
        name = {word.lower() for word in _WORD.findall(match["name"])}
        if name and name <= {word.lower() for word in _WORD.findall(author)}:
            text = said.rstrip(" ,-–—~")
        # "teeth on the bars - Rome" may be one sentence; "the soul. - Rome" is attributed.
        elif match["mark"][0] in "-–—―~" and said and said[-1] in ".!?…'’”\"":
            return text, "attributed to another"
    if " " in author and author in text:
        return text, "names its author"
    return text, ""


def _unglued(text: str, lexicon: Lexicon | None) -> tuple[str, str]:
    """Put back the spaces that line breaks left; refuse what hides more of them."""
    mended = _SOFT_GLUE.sub(r"\1 ", text)
    if _HARD_GLUE.search(mended):
        return text, "glued lines"
    for word in _GLUED_CASE.findall(mended):
        if not _CAMEL.fullmatch(word):
            return text, "glued lines"
    if lexicon is not None:
        for word in _LOWER_WORD.findall(mended):
            if word not in lexicon.words and (mended != text or _is_two(word, lexicon.frequent)):
                return text, "glued lines"
    return mended, ""


def _is_two(word: str, frequent: Container[str]) -> bool:
    return any(
        (cut > 2 or word[:cut] in _SHORT_WORDS)
        and (cut < len(word) - 2 or word[cut:] in _SHORT_WORDS)
        and word[:cut] in frequent
        and word[cut:] in frequent
        for cut in range(2, len(word) - 1)
    )


def _balanced(text: str) -> bool:
    if not any(char in text for char in "()[]"):
        return True
    awaited = []
    for char in text:
        if char in _BRACKETS:
            awaited.append(_BRACKETS[char])
        elif char in ")]" and (not awaited or awaited.pop() != char):
            return False
    return not awaited
