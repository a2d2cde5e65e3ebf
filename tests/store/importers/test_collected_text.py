"""What is mended in scraped quotations, and what is refused. Examples are made up."""

from __future__ import annotations

import pytest

from quill_ls.store.importers.collected_text import Lexicon, clean
from quill_ls.store.importers.dialogue import paired_quotes

LEXICON = Lexicon(
    words={"about", "money", "matters", "night", "travel", "clue", "spring"},
    frequent={"clue", "about", "of", "the"},
    names={"Paris", "London"},
)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("The  sea is\nalways   the same sea.", "The sea is always the same sea."),
        ("“The sea is always the same sea.”", "The sea is always the same sea."),
        ("'The sea is always the same sea.'", "The sea is always the same sea."),
        ("The sea is always the same sea.'", "The sea is always the same sea."),
        ("Sail while you can,Rest when you must.", "Sail while you can, Rest when you must."),
        ("The sea , they say , is old .", "The sea, they say, is old."),
        ("The sea is always the *same* sea.", "The sea is always the same sea."),
        ("The sea isnâ€™t ever the same sea.", "The sea isn’t ever the same sea."),
        ("The sea &amp; the sky are one blue.", "The sea & the sky are one blue."),
        ("- The sea is always the same sea.", "The sea is always the same sea."),
        ("The sea is always the same sea. - Ann Waters", "The sea is always the same sea."),
        ("The sea is always the same sea.(p. 34)", "The sea is always the same sea."),
        ("Sea' is a word for what we fear.", "'Sea' is a word for what we fear."),
        ("The sailors' wives knew the sea's moods.", "The sailors' wives knew the sea's moods."),
        ("'Tis the sea that makes the sailor.", "'Tis the sea that makes the sailor."),
        ("The McGregors own an iPad at sea.", "The McGregors own an iPad at sea."),
    ],
)
def test_what_is_safe_to_mend(text: str, cleaned: str) -> None:
    assert clean(text, "Ann Waters") == (cleaned, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty text"),
        ("12 34 56", "no words"),
        ("Broken \ufffd words of the old sea", "broken encoding"),
        ("Find the sea at www.sea.example and swim.", "advertisement or address"),
        ("Follow me on Facebook for more of the sea.", "advertisement or address"),
        ("The sea is the sea.- Captain Blue", "attributed to another"),
        ("Ann Waters says that the sea is always the sea.", "names its author"),
        ("of all the seas this one is the bluest.", "fragment of a sentence"),
        ("And when the sea is calm and the", "fragment of a sentence"),
        ("...when the sea is calm we sail.", "fragment of a sentence"),
        ("The sea is calm!! We sail!!", "careless typing"),
        ("I think u should love the sea.", "careless typing"),
        ("THE SEA IS ALWAYS THE SAME SEA", "capitals"),
        ("The sea is always the same ♥ sea.", "signs that are not text"),
        ("The sea, alas.", "too short"),
        ("The sea (which is old is always the sea.", "unbalanced brackets"),
        ("The sea is oldThe sky is young and blue.", "glued lines"),
        ("The sea is old.the sky is young and blue.", "glued lines"),
        ("Sea: I am old and blue. Sky: I am young.", "dialogue"),
        ("'The sea is calm,' she said, 'and so am I.'", "dialogue"),
        ("The sea is calm,' she said, and looked at me.", "dialogue"),
        ("The sea of my youth is calm today,' and I saw it.", "unbalanced quotation marks"),
        ("Das Meer ist immer das gleiche Meer gewesen.", "not English"),
        ("Is this a dagger which I see? Act II, Scene 1", "ends in a reference"),
        ("The sea. " * 60, "too long"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    assert clean(text, "Ann Waters")[1] == reason


def test_names_that_one_author_alone_uses_are_his_characters() -> None:
    assert clean("We went to Paris for the sea.", "", LEXICON)[1] == ""
    assert clean("We went to Zanthar for the sea.", "", LEXICON)[1] == "names a character"


def test_an_unknown_word_of_two_frequent_ones_lost_a_line_break() -> None:
    assert clean("He has no clueabout the open sea.", "", LEXICON)[1] == "glued lines"
    assert clean("He has no thalassic view of the sea.", "", LEXICON)[1] == ""


@pytest.mark.parametrize(
    ("text", "paired"),
    [
        ("No marks at all.", "No marks at all."),
        ("They call it 'the deep' for a reason.", "They call it 'the deep' for a reason."),
        ("They call it 'the deep", "They call it 'the deep'"),
        ('They call it "the deep" for a reason.', 'They call it "the deep" for a reason.'),
        ("Rock 'n' roll, y'all, and goin' home.", "Rock 'n' roll, y'all, and goin' home."),
        ("The summer of the '60s was long.", "The summer of the '60s was long."),
    ],
)
def test_marks_in_pairs(text: str, paired: str) -> None:
    assert paired_quotes(text) == (paired, "")
