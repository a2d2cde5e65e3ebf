"""The use case "suggest": from a placeholder to ranked quotations, each with its reasons.

In two steps, so that an editor can show the first while the second is at work: `recall` asks the
store, `rank` asks the model. Without a model the second leaves the order of recall.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quill_ls.cancel import NEVER, CancelToken
from quill_ls.engine.explain import explain
from quill_ls.engine.renown import Renown
from quill_ls.engine.suggestions import Scores, Suggestion, Suggestions
from quill_ls.errors import ModelError, StoreError
from quill_ls.parsing.placeholder import Placeholder
from quill_ls.ranking.context import bounded
from quill_ls.ranking.criteria import (
    PUBLISHED,
    Constants,
    Curve,
    falling,
    known_constants,
    linear_novelty_score,
    linear_perplexity_score,
    rising,
)
from quill_ls.ranking.features import NAN, Case, Features
from quill_ls.ranking.measurement import Known, Subject, measure
from quill_ls.ranking.rerank import METHODS, Method, Need, Weights, order
from quill_ls.retrieval.recall import Candidate, Place, Recall, Recalled
from quill_ls.scoring.perplexity import LanguageModel
from quill_ls.settings import Settings
from quill_ls.store.authority import display_name
from quill_ls.store.database import Store
from quill_ls.text.language import UNDETERMINED, detect

MAX_PER_AUTHOR = 2
"""Of one author at the most so many in a list, unless the author was asked for."""

WORDS_ALONE = 3
"""So many times more candidates are read where recall had no vectors to order them by."""

_CHINESE = ("zh", "lzh")
_ALONE: frozenset[Need] = frozenset({"alone"})


@dataclass(slots=True)
class _Memory:
    """What one model has said, and its constants."""

    known: Known = field(default_factory=Known)
    loaded: set[int] = field(default_factory=set)
    constants: Constants = PUBLISHED


class Suggester:
    """Suggests quotations from one store.

    Parameters
    ----------
    model_for
        Gives the model to use for a language, or raises `ModelError` with the hint what to do.
    """

    def __init__(
        self,
        store: Store,
        recall: Recall,
        renown: Renown,
        settings: Settings,
        model_for: Callable[[str], LanguageModel],
    ) -> None:
        self._store = store
        self._recall = recall
        self._renown = renown
        self._settings = settings
        self._model_for = model_for
        self._memories: dict[str, _Memory] = {}

    def suggest(
        self, placeholder: Placeholder, cancel: CancelToken = NEVER, limit: int | None = None
    ) -> Suggestions:
        """Recall and rank; see `recall` and `rank`."""
        return self.rank(placeholder, self.recall(placeholder, cancel), cancel, limit)

    def recall(self, placeholder: Placeholder, cancel: CancelToken = NEVER) -> Recalled:
        """Return the candidates for a placeholder in the order of recall: no model is asked."""
        place = self.place(placeholder)
        recalled = self._recall(place, self._settings.suggest.recall, cancel)
        language = place.languages[0] if place.languages else "en"
        constraints = tuple(
            replace(constraint, value=display_name(constraint.value, language))
            for constraint in recalled.constraints
        )
        return replace(recalled, constraints=constraints)

    def place(self, placeholder: Placeholder) -> Place:
        """Return the place that a placeholder marks, with the languages to look in."""
        wishes = placeholder.wishes
        return Place(
            left=placeholder.left,
            right=placeholder.right,
            wishes=wishes,
            languages=self._languages(placeholder),
            tiers=self._settings.suggest.tiers,
        )

    def rank(
        self,
        placeholder: Placeholder,
        recalled: Recalled,
        cancel: CancelToken = NEVER,
        limit: int | None = None,
    ) -> Suggestions:
        """Let the model rank the best candidates of recall, and explain each.

        Parameters
        ----------
        limit
            How many to return; the setting when None.
        """
        options = self._settings.suggest
        method = METHODS[options.method]
        wanted = options.limit if limit is None else limit
        candidates = _varied(recalled, max(_depth(recalled, options.rerank), wanted))
        model, notices = self._model(placeholder, candidates, method)
        memory = self._memory(model, candidates)
        context = bounded(
            placeholder.left,
            placeholder.right,
            self._settings.model.left_context_tokens,
            self._settings.model.right_context_tokens,
        )
        context = replace(context, as_inserted=True)
        before = frozenset(memory.known.alone)
        features = measure(
            context,
            [self._subject(candidate) for candidate in candidates],
            _needs(method, self._weights()),
            model,
            memory.known,
            cancel,
        )
        learned = self._renown.learn(memory.known.notability)
        features = tuple(
            replace(feature, notability=self._renown.measured(candidate.quotation.author))
            for feature, candidate in zip(features, candidates, strict=True)
        )
        case = Case(context.left, context.right, features)
        totals = method.score(case, self._weights(), memory.constants)
        ranked = order(totals)[:wanted]
        # How new they are is measured only for the few that are shown, where it does not rank.
        shown = measure(
            context,
            [self._subject(candidates[i]) for i in ranked],
            _ALONE if model is not None else frozenset(),
            model,
            memory.known,
            cancel,
        )
        if model is not None:
            self._keep(model.name, memory, candidates, before, learned)
        matching = [feature.ppl_m for feature in features]
        suggestions = tuple(
            self._suggestion(
                candidates[i],
                _joined(features[i], feature),
                totals[i],
                recalled,
                matching,
                memory,
            )
            for i, feature in zip(ranked, shown, strict=True)
        )
        return Suggestions(
            suggestions,
            recalled.constraints,
            recalled.pool,
            model is not None,
            (*recalled.notices, *notices),
        )

    def _languages(self, placeholder: Placeholder) -> tuple[str, ...]:
        wished = placeholder.wishes.language
        if wished:
            return (wished,)
        if self._settings.suggest.languages:
            return self._settings.suggest.languages
        language = detect(f"{placeholder.left} {placeholder.right}".strip())
        if language in _CHINESE:
            return _CHINESE
        return () if language == UNDETERMINED else (language,)

    def _model(
        self, placeholder: Placeholder, candidates: Sequence[Candidate], method: Method
    ) -> tuple[LanguageModel | None, tuple[str, ...]]:
        if not method.needs or not self._settings.suggest.rerank or not candidates:
            return None, ()
        # The model has to read the prose around as well as the quotation: what it must know is
        # the language of the place.
        language = detect(f"{placeholder.left} {placeholder.right}".strip())
        if language == UNDETERMINED:
            language = candidates[0].quotation.language
        try:
            return self._model_for("zh" if language in _CHINESE else language), ()
        except ModelError as error:
            if self._settings.model.name:
                raise  # Whoever names a model wants that one.
            return None, (f"Not ranked by a language model: {error}",)

    def _memory(self, model: LanguageModel | None, candidates: Sequence[Candidate]) -> _Memory:
        if model is None:
            return _Memory()
        memory = self._memories.get(model.name)
        if memory is None:
            memory = self._memories[model.name] = _Memory(constants=self._constants(model.name))
            self._renown.remember(self._store.author_measures(model.name, "notability"))
        ids = {c.quotation.id: c.quotation.text for c in candidates}
        new = [item for item in ids if item not in memory.loaded]
        if new:
            perplexities = self._store.measures(model.name, "ppl", new)
            familiar = self._store.measures(model.name, "familiarity", new)
            for item, value in perplexities.items():
                memory.known.alone[ids[item]] = (value, familiar.get(item, NAN))
            memory.loaded.update(new)
        return memory

    def _constants(self, model: str) -> Constants:
        if self._settings.ranking.constants == "published":
            return PUBLISHED
        saved = {
            criterion: Curve(mu, k)
            for criterion, (mu, k, _) in self._store.calibrations(model).items()
        }
        known = known_constants(model)
        return Constants(
            matching=saved.get("matching", known.matching),
            fluency=saved.get("fluency", known.fluency),
            novelty=saved.get("novelty", known.novelty),
        )

    def _keep(
        self,
        model: str,
        memory: _Memory,
        candidates: Sequence[Candidate],
        before: frozenset[str],
        learned: Mapping[int, float],
    ) -> None:
        """Store what was measured and does not depend on the place."""
        fresh = {
            c.quotation.id: memory.known.alone[c.quotation.text]
            for c in candidates
            if c.quotation.text in memory.known.alone and c.quotation.text not in before
        }
        if self._store.readonly or not (learned or fresh):
            return
        try:
            with self._store.transaction():
                self._store.put_author_measures(model, "notability", learned)
                self._store.put_measures(model, "ppl", {i: v[0] for i, v in fresh.items()})
                self._store.put_measures(model, "familiarity", {i: v[1] for i, v in fresh.items()})
        except StoreError:
            # Another program is writing; what was measured is only kept to save time.
            return

    def _subject(self, candidate: Candidate) -> Subject:
        quotation = candidate.quotation
        return Subject(
            text=quotation.text,
            # The model is asked only for names that nobody has vouched for.
            author=quotation.author if self._renown.is_open(quotation.author) else "",
            relevance=candidate.relevance,
            similarity=candidate.similarity,
            search_frequency=quotation.search_frequency,
            carried=quotation.carried,
        )

    def _weights(self) -> Weights:
        settings = self._settings
        return Weights(
            relevance=settings.ranking.relevance,
            matching=settings.ranking.matching,
            notability=settings.suggest.notability,
            novelty=settings.suggest.novelty,
        )

    def _criteria(self, feature: Features, constants: Constants) -> tuple[float, float, float]:
        """Return S_m, S_f and S_n in the version of the paper that the settings name."""
        if self._settings.ranking.constants == "linear":
            return (
                linear_perplexity_score(feature.ppl_m),
                linear_perplexity_score(feature.ppl_f),
                linear_novelty_score(feature.novelty),
            )
        return (
            falling(feature.ppl_m, constants.matching),
            falling(feature.ppl_f, constants.fluency),
            rising(feature.novelty, constants.novelty),
        )

    def _suggestion(
        self,
        candidate: Candidate,
        feature: Features,
        total: float,
        recalled: Recalled,
        matching: Sequence[float],
        memory: _Memory,
    ) -> Suggestion:
        matched, fluent, novel = self._criteria(feature, memory.constants)
        scores = Scores(
            total=total,
            matching=matched,
            fluency=fluent,
            novelty=novel,
            novelty_basis=feature.novelty_basis,
            similarity=candidate.similarity,
            notability=feature.notability,
            ppl_m=feature.ppl_m,
            ppl_f=feature.ppl_f,
            ppl=feature.ppl,
        )
        why = explain(candidate, feature, recalled.constraints, matching)
        quotation = candidate.quotation
        name = display_name(quotation.author, quotation.language)
        return Suggestion(replace(quotation, author=name), scores, why)


def _needs(method: Method, weights: Weights) -> frozenset[Need]:
    """What the method ranks by, and what is shown and costs next to nothing beside it."""
    needs = method.needs_for(weights)
    return needs | {"matching", "fluency"} if needs else needs


def _joined(in_place: Features, alone: Features) -> Features:
    """Return what was measured in the place, completed by what was measured of the words alone."""
    return replace(
        in_place,
        ppl=alone.ppl,
        familiarity=alone.familiarity,
        novelty=alone.novelty,
        novelty_basis=alone.novelty_basis,
    )


def _depth(recalled: Recalled, rerank: int) -> int:
    """Return how many candidates the model reads: more of a few that recall could hardly order.

    Without vectors, recall knows only the words in common; where constraints leave no more than
    some dozens, the model looks at all of them.
    """
    blind = all(math.isnan(candidate.similarity) for candidate in recalled.candidates)
    return WORDS_ALONE * rerank if blind and recalled.pool <= WORDS_ALONE * rerank else rerank


def _varied(recalled: Recalled, count: int) -> tuple[Candidate, ...]:
    """Return the first `count` candidates, of no author too many where none was asked for."""
    if any(constraint.kind in ("author", "work", "proverb") for constraint in recalled.constraints):
        return recalled.candidates[:count]
    seen: Counter[str] = Counter()
    kept = []
    for candidate in recalled.candidates:
        author = candidate.quotation.author
        seen[author] += 1
        if not author or seen[author] <= MAX_PER_AUTHOR:
            kept.append(candidate)
        if len(kept) == count:
            break
    return tuple(kept)
