"""Two entries with the same words become one: what is kept of each."""

from __future__ import annotations

from dataclasses import replace

from quill_ls.store.records import Quotation, Tier
from quill_ls.text.fold import fold_key

_EVIDENCE: dict[Tier, int] = {
    "reference": 4,
    "sourced": 3,
    "misattributed": 2,
    "disputed": 1,
    "collected": 0,
}
"""How much a tier proves. What is documented as misattributed outweighs what collections say."""


def evidence(tier: Tier) -> int:
    """Return how much an entry of this tier proves, the more the greater."""
    return _EVIDENCE[tier]


def merged(first: Quotation, second: Quotation) -> Quotation:
    """Return one entry for two that carry the same words; of equal tiers the first leads."""
    if evidence(second.tier) > evidence(first.tier):
        return absorbed(second, first, id=first.id)
    return absorbed(first, second, id=first.id)


def absorbed(strong: Quotation, weak: Quotation, *, id: int) -> Quotation:
    """Return `strong` enriched by what `weak` adds, under the row `id`.

    Text, tier, collection and attribution are those of `strong`. `weak` fills in only what does
    not contradict it: an author where `strong` names neither author nor work, a locator or year
    only for the same work, so that no attribution arises that nobody has made.
    """
    author = strong.author or ("" if strong.work else weak.author)
    same_author = not weak.author or fold_key(author) == fold_key(weak.author)
    work = strong.work or (weak.work if same_author else "")
    same_work = same_author and fold_key(work) == fold_key(weak.work)
    year = strong.year
    if year is None and same_work:
        year = weak.year
    counts = [n for n in (strong.search_frequency, weak.search_frequency) if n is not None]
    return replace(
        strong,
        id=id,
        author=author,
        work=work,
        locator=strong.locator or (weak.locator if same_work else ""),
        year=year,
        topics=tuple(dict.fromkeys(strong.topics + weak.topics)),
        source=strong.source or (weak.source if same_work else ""),
        search_frequency=max(counts, default=None),
        carried=strong.carried + weak.carried,
    )
