"""Recall and ranking together, on a real store and with a fake model."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeModel

from quill_ls.cancel import Cancelled, CancelToken
from quill_ls.engine.renown import Renown, by_worth
from quill_ls.engine.suggest import Suggester
from quill_ls.errors import ModelError
from quill_ls.markup.parse import parse
from quill_ls.parsing.gazetteer import Gazetteer, Work
from quill_ls.parsing.placeholder import Placeholder, placeholders
from quill_ls.retrieval.recall import Recall
from quill_ls.settings import Settings
from quill_ls.store.authority import Authority
from quill_ls.store.database import Store
from quill_ls.store.records import Quotation

QUOTATIONS = (
    Quotation(text="Courage is the ladder on which all virtues mount.", author="Clare Luce"),
    Quotation(
        text="It is not because things are difficult that we do not dare.",
        author="Seneca",
        work="Letters",
        tier="sourced",
        topics=("courage",),
    ),
    Quotation(text="Anger is a brief madness of the mind.", author="Seneca", work="On Anger"),
    Quotation(text="Bread is the staff of life, said the baker.", author="A. Baker"),
    Quotation(text="Many hands make light work of it.", author="Proverb"),
    Quotation(text="学而不思则罔，思而不学则殆。", author="孔子", work="论语", language="lzh"),
    Quotation(text="Courage! I never said that.", author="Gandhi", tier="misattributed"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "quill.db") as opened:
        opened.add(QUOTATIONS)
        opened.add_aliases("孔子", ["Confucius"])
        yield opened


Suggest = Callable[..., Suggester]


@pytest.fixture
def suggester(store: Store) -> Suggest:
    def make(model: FakeModel | None = None, **settings: object) -> Suggester:
        authors = store.authors()
        gazetteer = Gazetteer(authors, [Work("On Anger", "Seneca")])
        renown = Renown(authors, [Authority("Seneca"), Authority("孔子")])

        def model_for(language: str) -> FakeModel:
            if model is None:
                raise ModelError("No model.", "Install one.")
            return model

        values = {key.replace("__", "."): value for key, value in settings.items()}
        return Suggester(
            store,
            Recall(store, gazetteer, renown),
            renown,
            Settings().replace(values),
            model_for,
        )

    return make


def place(text: str) -> Placeholder:
    (found,) = placeholders(parse(text, "markdown"))
    return found


def texts(suggester: Suggester, text: str) -> list[str]:
    return [each.quotation.text for each in suggester.suggest(place(text)).suggestions]


def test_an_open_place_gets_what_shares_its_words(suggester: Suggest):
    found = suggester(FakeModel()).suggest(place("We spoke of courage for hours. [Q] It was late."))
    assert "Courage is the ladder on which all virtues mount." in {
        each.quotation.text for each in found.suggestions
    }
    assert found.reranked
    assert found.constraints == ()


def test_a_credited_author_narrows_recall_and_the_explanation_says_so(suggester: Suggest):
    found = suggester(FakeModel()).suggest(place("As Seneca put it, [Q] It was about courage."))
    assert {each.quotation.author for each in found.suggestions} == {"Seneca"}
    assert found.pool == 2
    assert all("Seneca, whom the text credits" in each.why for each in found.suggestions)


def test_wishes_go_before_the_context(suggester: Suggest):
    found = suggester().suggest(place('As Seneca put it, [Q: author="Proverb"] Work, work.'))
    assert [each.quotation.author for each in found.suggestions] == ["Proverb"]


def test_a_work_narrows_further(suggester: Suggest):
    assert texts(suggester(), 'So it is. [Q: author=Seneca work="On Anger"] Yes.') == [
        "Anger is a brief madness of the mind."
    ]


def test_an_unknown_author_gives_nothing_and_says_so(suggester: Suggest):
    found = suggester().suggest(place("So. [Q: author=Nobody] Yes."))
    assert found.suggestions == ()
    assert "“Nobody”" in found.notices[0]


def test_a_proverb_is_asked_for_in_words(suggester: Suggest):
    assert texts(suggester(), "As the old proverb goes, [Q] We all helped.") == [
        "Many hands make light work of it."
    ]


def test_misattributed_words_are_never_suggested(suggester: Suggest):
    assert "Courage! I never said that." not in texts(suggester(), "Courage, courage. [Q] Yes.")


def test_chinese_texts_get_chinese_quotations_and_an_english_text_gets_english_names(
    suggester: Suggest,
):
    assert texts(suggester(), "读书而不思考，等于没有读。孔子说：[Q] 这是对的。") == [
        "学而不思则罔，思而不学则殆。"
    ]
    (found,) = (
        suggester().suggest(place("Said he. [Q: lang=lzh author=Confucius] Yes.")).suggestions
    )
    assert found.quotation.author == "孔子"


def test_without_a_model_the_order_is_that_of_recall_with_a_notice(suggester: Suggest):
    found = suggester().suggest(place("We spoke of courage for hours. [Q] It was late."))
    assert not found.reranked
    assert found.suggestions
    assert "Install one." in found.notices[-1]
    assert all(math.isnan(each.scores.matching) for each in found.suggestions)


def test_of_the_same_words_only_the_best_attested_author_is_offered(
    suggester: Suggest, store: Store
):
    words = "I think, therefore I am, and so are you."
    store.add(
        [
            Quotation(text=words, author="A. Nobody"),
            Quotation(text=words, author="Descartes", work="Discourse", tier="sourced"),
        ]
    )
    found = suggester().suggest(place("I think, therefore I am. [Q] So are you."))
    assert [s.quotation.author for s in found.suggestions if s.quotation.text == words] == [
        "Descartes"
    ]


def test_the_limit_is_kept(suggester: Suggest):
    asked = place("Courage, anger, bread. [Q] Yes.")
    assert len(suggester(suggest__limit=2).suggest(asked).suggestions) == 2
    assert len(suggester().suggest(asked, limit=1).suggestions) == 1


def test_what_the_model_said_of_quotations_and_authors_is_kept_in_the_store(
    suggester: Suggest, store: Store
):
    model = FakeModel()
    suggester(model).suggest(place("As Seneca put it, [Q] It was about courage."))
    ids = [each.id for each in store.quotations() if each.author == "Seneca"]
    assert set(store.measures("fake", "ppl", ids)) == set(ids)
    calls = len(model.calls)
    suggester(model).suggest(place("As Seneca put it, [Q] It was about courage."))
    alone = [call for call in model.calls[calls:] if call[0] == "" and call[2] == {"quotation"}]
    assert all(not continuations for _, continuations, _ in alone)


def test_a_cancelled_request_stops(suggester: Suggest):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        suggester(FakeModel()).suggest(place("Courage. [Q] Yes."), token)


def test_a_read_only_store_serves_as_well(tmp_path: Path, suggester: Suggest, store: Store):
    with Store.open(store.path, readonly=True) as reader:
        authors = reader.authors()
        renown = Renown(authors, ())
        recall = Recall(reader, Gazetteer(authors), renown)
        made = Suggester(reader, recall, renown, Settings(), lambda language: FakeModel())
        assert made.suggest(place("Courage. [Q] Yes.")).suggestions


def test_the_worthiest_are_embedded_first(store: Store):
    renown = Renown(store.authors(), [Authority("Seneca")])
    ranked = [store.get_many([i])[i].author for i in by_worth(store, renown)]
    assert ranked[:2] == ["Seneca", "Seneca"]
    assert "A. Baker" not in ranked
    assert len(by_worth(store, renown, everybody=True)) == len(QUOTATIONS)


def test_the_scores_of_the_papers_first_version_are_there_by_name(suggester: Suggest):
    asked = place("As Seneca put it, [Q] It was about courage.")
    found = suggester(FakeModel(), ranking__constants="linear").suggest(asked).suggestions
    assert found
    for each in found:
        assert each.scores.matching == pytest.approx(1 - each.scores.ppl_m / 50)
