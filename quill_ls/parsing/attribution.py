"""Who is credited with the words at a place, as far as the prose around it says so.

"As Plato stated, [Q]", "[Q], wrote Seneca", "庄子曰：[Q]", "in *Walden*: [Q]": in nine of ten
texts that quote, the context names the author. A credit is *firm* where the grammar between the
name and the place says that the words are the author's, and *loose* where the author is only
named near by. The store's gazetteer says what is a name; this module knows the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from quill_ls.parsing.gazetteer import Gazetteer, Mention
from quill_ls.text.script import HAN_CLASS

Strength = Literal["firm", "loose"]

_NEAR = 240
"""Characters on each side in which a name may be credited."""

_VERBS = (
    r"said|says|say|saying|wrote|writes|write|written|writing|put|puts|stated|states|stating|"
    r"remarked|remarks|observed|observes|observation|noted|notes|argued|argues|declared|declares|"
    r"warned|warns|reminds?|reminded|tells?|told|called|calls|asks?|asked|concluded|concludes|"
    r"insisted|insists|maintained|maintains|claimed|claims|believed|believes|held|holds|taught|"
    r"teaches|quipped|quips|mused|muses|confessed|confesses|admitted|admits|advised|advises|"
    r"proclaimed|proclaims|explained|explains|expressed|expresses|emphasi[sz]e[ds]?|"
    r"suggested|suggests|replied|answered|penned|cautioned|counsell?ed|urged|lamented|"
    r"described|describes|exclaimed|sings?|sang|knew|knows|has it|goes|words?|phrase|line|lines|"
    r"maxim|dictum|aphorism|adage|quote[ds]?|quotation|quotes|saying|motto|verse|advice|"
    r"remark|question|answer|warning|formula|definition|thought|principle"
)
_SAID = re.compile(rf"\b(?:{_VERBS})\b", re.IGNORECASE)
_BEFORE_NAME = re.compile(
    r"(?:according to|in the words of|to quote|quot(?:e|ed|ing|es)|as|words of|"
    r"saying of|line (?:of|from|by)|phrase (?:of|from|by)|advice of|maxim of|dictum of|"
    r"verse (?:of|from|by)|words from|wisdom of|with|question of|from|in)\s+(?:\W*)$",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    rf"^\W*(?:[—–-]+|\(|by\b|from\b|of\b|in\b|as\b|(?:once|famously|also)\b|attributed to\b|"
    rf"in the words of\b|to quote\b|according to\b|(?:{_VERBS})\b|\W)*\W*$",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(
    rf"^\W*(?:(?:has|had|have|once|famously|also|so|often|later|never|aptly|"
    rf"rightly|it|that|this|us|long|ago)\s+)*(?:{_VERBS})\b",
    re.IGNORECASE,
)
_PRONOUN_SAID = re.compile(
    rf"\b(?:he|she)\s+(?:(?:has|had|once|famously|also|often|later|then|himself|herself)\s+)*"
    rf"(?:{_VERBS})\b[^.!?]*$",
    re.IGNORECASE,
)
_PROVERB = re.compile(
    r"\b(?:(?:old|ancient|famous|well-known|common|popular|\w+ish|\w+ese|\w+an|greek|dutch|french)"
    r"\s+)*(?:proverb|adage|saying goes|saying has it|folk wisdom|old saying)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+(?=[\"'“‘«(\[]*[^\W\d_a-z])|[。！？!?；\n]")

_NEXT_SENTENCE = re.compile(rf"[.!?。！？]\W*[A-Z{HAN_CLASS}]")

_SAID_HAN = re.compile(
    r"曰|云|有言|言[：:，]|说|道[：:，“「]|写道|写下|提出|提到|提倡|指出|认为|强调|主张|谓|讲|名言|"
    r"格言|名句|诗句|语录|观点|理念|思想|警句|的话|教导|告诉|表示|所言|所说|引用|以$|感叹|感慨|"
    r"呼吁|倡导|告诫|坦言|直言|座右铭|口号|[：:]\W*$"
)
_BEFORE_NAME_HAN = re.compile(r"(?:引用|援引|正如|如同|诚如|恰如|按照|根据|借用|用|据|出自|依)\W*$")
_AFTER_PLACE_HAN = re.compile(
    r"^[\s。，,.;；”’」』—–…-]*(?:[（(]|——?|这是|这句|这一|是|出自|语出|源自|来自|的|正如|这句话|话|名言|由)"
    r"{0,4}[《“「]?$"
)
_PRONOUN_HAN = re.compile(r"[他她](?:曾|还|又|也|在|常|们|经)?[^。！？；]{0,30}$")
_PROVERB_HAN = re.compile(
    r"谚语|俗话|常言|老话|古语|古人(?:云|曰|说|言|有言)|谚云|谚曰|民谚|成语|俗语|古训|格言说"
)


@dataclass(frozen=True, slots=True)
class Credit:
    """An author or a work that the context credits with the words at a place.

    Attributes
    ----------
    strength
        "firm" where the grammar says that the words are the author's, else "loose".
    authors
        Ids of the authors that the name may mean, most quoted first; empty for a work whose
        author is not known, and for a proverb.
    work
        Title of the work, or "".
    proverb
        Whether the words are called a proverb or an old saying.
    phrase
        The words of the context that say so, for the explanation.
    """

    strength: Strength
    authors: tuple[int, ...] = ()
    work: str = ""
    proverb: bool = False
    phrase: str = ""


def credits(left: str, right: str, gazetteer: Gazetteer) -> tuple[Credit, ...]:
    """Return whom the prose on both sides of a place credits, the best founded first.

    Parameters
    ----------
    left, right
        Prose before and after the place, of any length; only the near ends are read for firm
        credits, a pronoun is resolved to the nearest name further left.
    """
    near_left = left[-_NEAR:]
    cut = len(near_left)
    for match in _SENTENCE_END.finditer(near_left):
        if match.end() < len(near_left.rstrip()):
            cut = match.end()
    clause = near_left[cut:] if cut < len(near_left) else near_left
    found: list[tuple[int, Credit]] = []
    found += _left_credits(clause, gazetteer)
    found += _right_credits(right[:_NEAR], gazetteer)
    found += _pronoun_credits(left, clause, gazetteer)
    found += _nearby_credits(left[-600:], right[:600], gazetteer)
    found += _proverb_credits(clause, right[:80])
    return _strongest(found)


def _left_credits(clause: str, gazetteer: Gazetteer) -> Iterable[tuple[int, Credit]]:
    """Names before the place in its own sentence; nearer ones rank first."""
    for mention in gazetteer.mentions(clause):
        before, between = clause[: mention.span.start], clause[mention.span.end :]
        firm = bool(
            _SAID.search(between)
            or _SAID_HAN.search(between)
            or _BEFORE_NAME.search(before)
            or _BEFORE_NAME_HAN.search(before)
            or re.match(r"^[’']s?\W*$|^\W*[:：]\W*$|^[’']s\b", between)
        )
        if mention.kind == "surname" and not firm:
            continue
        distance = len(between)
        phrase = clause[max(0, mention.span.start - 20) :].strip()
        yield distance, _credit(mention, "firm" if firm else "loose", phrase)


def _right_credits(near: str, gazetteer: Gazetteer) -> Iterable[tuple[int, Credit]]:
    """Names after the place: "[Q] — Seneca", "[Q], wrote Seneca", "[Q]。——庄子"."""
    for mention in gazetteer.mentions(near):
        before, after = near[: mention.span.start], near[mention.span.end :]
        if len(before) > 60:
            break
        if before.strip(" ,，。.\"'”’»」』"):
            firm = bool(_BY_NAME.match(before) or _AFTER_PLACE_HAN.match(before))
        else:
            # "[Q], Seneca wrote", "[Q] Seneca" at the end of all; a name that more follows begins
            # a sentence of its own.
            firm = bool(_AFTER_NAME.match(after)) or not after.strip(" .。)）")
        # What follows a finished sentence is a statement about the author, not a credit.
        if _NEXT_SENTENCE.search(before) and not _AFTER_PLACE_HAN.match(before):
            firm = False
        if mention.kind == "surname" and not firm:
            continue
        if firm:
            yield len(before) + 5, _credit(mention, "firm", near[: mention.span.end].strip())


def _pronoun_credits(left: str, clause: str, gazetteer: Gazetteer) -> Iterable[tuple[int, Credit]]:
    """Resolve "He famously stated, [Q]" and 他提出：[Q] to the nearest person named before."""
    if not (_PRONOUN_SAID.search(clause) or _PRONOUN_HAN.search(clause)):
        return
    people = [mention for mention in gazetteer.mentions(left[-600:]) if mention.kind != "work"]
    if people:
        yield 100, _credit(people[-1], "firm", clause.strip()[-60:])


def _nearby_credits(left: str, right: str, gazetteer: Gazetteer) -> Iterable[tuple[int, Credit]]:
    """Full names anywhere near, which only lean towards an author."""
    for mention in gazetteer.mentions(left):
        if mention.kind == "name":
            yield 300 + len(left) - mention.span.end, _credit(mention, "loose", "")
    for mention in gazetteer.mentions(right):
        if mention.kind == "name":
            yield 300 + mention.span.start, _credit(mention, "loose", "")


def _proverb_credits(clause: str, right: str) -> Iterable[tuple[int, Credit]]:
    for pattern, text in ((_PROVERB, clause), (_PROVERB_HAN, clause), (_PROVERB, right[:40])):
        if match := pattern.search(text):
            yield 50, Credit("firm", proverb=True, phrase=match.group())
            return


def _credit(mention: Mention, strength: Strength, phrase: str) -> Credit:
    return Credit(strength, mention.authors, mention.work, phrase=phrase[-80:])


def _strongest(found: Sequence[tuple[int, Credit]]) -> tuple[Credit, ...]:
    """Order by strength, then by nearness; each author or work once."""
    ordered = sorted(found, key=lambda item: (item[1].strength != "firm", item[0]))
    kept: dict[tuple[tuple[int, ...], str, bool], Credit] = {}
    for _, credit in ordered:
        kept.setdefault((credit.authors, credit.work, credit.proverb), credit)
    return tuple(kept.values())
