"""Curation (QUILL section 5): near-duplicates merged, contained quotations linked, junk removed.

What may be merged is decided by the words and by who is said to have said them. The same words
under two named authors are kept twice and reported: which is right, no similarity can tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.store.database import Store
from quill_ls.store.importers.author_names import author_key
from quill_ls.store.importers.plain import fault_of
from quill_ls.store.merging import evidence
from quill_ls.store.records import Progress, Quotation
from quill_ls.store.similarity import Shingled, words_of
from quill_ls.text.fold import fold_key

CONFLICTS_SHOWN = 100

_NEGATION_WORDS = """
    not no never nothing none nobody cannot without nor neither dont doesnt didnt isnt arent wasnt
    werent wont wouldnt cant couldnt shouldnt mustnt hasnt havent hadnt 不 无 非 莫 勿 毋 未 弗 没
"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
"""As folded: apostrophes gone, characters simplified."""

_STEPS = 4


@dataclass(frozen=True, slots=True)
class CurationPolicy:
    """What a curated store may hold.

    Attributes
    ----------
    threshold
        Jaccard similarity of words and pairs of words from which two texts of one author are the
        same quotation.
    lengths
        Fewest and most code points of a text by language, for entries of the tier "collected";
        "" is for the languages not named. Better tiers and the user's own are never removed.
    """

    threshold: float = 0.7
    lengths: Mapping[str, tuple[int, int]] = field(
        default_factory=lambda: {"": (12, 300), "zh": (4, 120), "lzh": (4, 120)}
    )


@dataclass(frozen=True, slots=True)
class Conflict:
    """The same words under two names: rows and authors."""

    first: int
    first_author: str
    second: int
    second_author: str
    text: str


@dataclass(frozen=True, slots=True)
class CurationReport:
    """What curation did.

    ``read == kept + too_short + too_long + malformed + merged``, always.

    Attributes
    ----------
    read, kept
        Quotations before and after.
    too_short, too_long, malformed
        Removed for their length, or because the text is broken.
    merged
        Near-duplicates that became part of another row.
    linked
        Pairs in which one quotation contains the other.
    conflicts
        Pairs of the same words under two named authors; both were kept, and linked too.
    shown
        The first of the conflicts.
    """

    read: int
    kept: int
    too_short: int
    too_long: int
    malformed: int
    merged: int
    linked: int
    conflicts: int
    shown: tuple[Conflict, ...]


def curate(
    store: Store,
    policy: CurationPolicy | None = None,
    progress: Progress | None = None,
    cancel: CancelToken = NEVER,
) -> CurationReport:
    """Curate the whole store in one transaction.

    Curating twice changes nothing the second time.

    Raises
    ------
    Cancelled
        The token was set; nothing is changed.
    """
    policy = policy or CurationPolicy()
    tell = progress or (lambda done, total: None)
    with store.transaction():
        entries, faults = _sifted(store, policy)
        read = len(entries) + len(faults)
        store.remove(faults)
        tell(1, _STEPS)
        cancel.check()
        # The best entry of a group comes first, and the others go to it.
        entries.sort(key=_standing, reverse=True)
        folded = [fold_key(entry.text) for entry in entries]
        shingled = Shingled(folded)
        tell(2, _STEPS)
        merges, conflicts = _decided(entries, folded, shingled, policy.threshold, cancel)
        for kept, gone in merges.items():
            cancel.check()
            store.merge(entries[kept].id, [entries[place].id for place in gone])
        tell(3, _STEPS)
        dropped = {place for gone in merges.values() for place in gone}
        linked = 0
        for shorter, longer in shingled.contained(cancel):
            if shorter not in dropped and longer not in dropped:
                store.link(entries[shorter].id, entries[longer].id)
                linked += 1
        for one, two in conflicts:  # the same words, so either may be called the shorter
            store.link(*sorted((entries[one].id, entries[two].id)))
        tell(4, _STEPS)
    reasons = list(faults.values())
    return CurationReport(
        read=read,
        kept=read - len(faults) - len(dropped),
        too_short=reasons.count("too short"),
        too_long=reasons.count("too long"),
        malformed=reasons.count("malformed"),
        merged=len(dropped),
        linked=linked,
        conflicts=len(conflicts),
        shown=tuple(
            Conflict(
                entries[one].id,
                entries[one].author,
                entries[two].id,
                entries[two].author,
                entries[one].text,
            )
            for one, two in conflicts[:CONFLICTS_SHOWN]
        ),
    )


def _sifted(store: Store, policy: CurationPolicy) -> tuple[list[Quotation], dict[int, str]]:
    """Return the entries that stay, and the rows to remove with the reason."""
    entries, faults = [], {}
    for entry in store.quotations():
        fault = _fault(entry, policy)
        if fault:
            faults[entry.id] = fault
        else:
            entries.append(entry)
    return entries, faults


def _fault(entry: Quotation, policy: CurationPolicy) -> str:
    if entry.tier != "collected" or entry.collection == "user":
        return ""
    least, most = policy.lengths.get(entry.language) or policy.lengths.get("", (0, 1 << 30))
    if len(entry.text) < least:
        return "too short"
    if len(entry.text) > most:
        return "too long"
    if fault_of(entry.text) or "\ufffd" in entry.text or "\n" in entry.text:
        return "malformed"
    return ""


def _standing(entry: Quotation) -> tuple[int, int, int, int]:
    """Return what makes one of two near-duplicates the better: greater is better."""
    known = sum(map(bool, (entry.author, entry.work, entry.locator, entry.year, entry.source)))
    return evidence(entry.tier), entry.carried, known, -entry.id


def _decided(
    entries: Sequence[Quotation],
    folded: Sequence[str],
    shingled: Shingled,
    threshold: float,
    cancel: CancelToken,
) -> tuple[dict[int, list[int]], list[tuple[int, int]]]:
    """Return which entries go to which better one, and which are in conflict, by position."""
    keys = [author_key(entry.author) for entry in entries]
    alike: dict[int, list[int]] = {}
    conflicts = []
    for first, second, _ in shingled.similar(threshold, cancel):
        if not _same_sense(folded[first], folded[second]):
            continue
        if _may_be_one(keys[first], keys[second]):
            alike.setdefault(second, []).append(first)
        else:
            conflicts.append((first, second))
    merges: dict[int, list[int]] = {}
    dropped: set[int] = set()
    for place in sorted(alike):
        # Only to one that stays itself: what resembles the resembling need not resemble it.
        kept = [better for better in alike[place] if better not in dropped]
        named = [better for better in kept if keys[better] == keys[place]] or [
            better for better in kept if _may_be_one(keys[better], keys[place])
        ]
        if not named or (not keys[place] and len({keys[better] for better in kept}) > 1):
            continue  # nameless words under several names: whose they are is not known
        merges.setdefault(min(named), []).append(place)
        dropped.add(place)
    return merges, [(one, two) for one, two in conflicts if dropped.isdisjoint((one, two))]


def _may_be_one(one: str, two: str) -> bool:
    """Whether two author keys may mean one person: no name, or a middle name more or less."""
    if one == two or not one or not two:
        return True
    first, second = one.split(), two.split()
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) == 2 and len(longer) == 3 and shorter == [longer[0], longer[-1]]


def _same_sense(one: str, two: str) -> bool:
    """Whether two similar folded texts deny the same and count the same."""
    if one == two:
        return True
    first, second = set(words_of(one)), set(words_of(two))
    changed = first ^ second
    return changed.isdisjoint(_NEGATIONS) and not any(map(str.isdecimal, changed))
