"""The trace of an answer: the pipeline's steps, as far as the saved record tells of them.

A record keeps the evidence that the answerer was given, with the scores that put it there; what a
search found beyond that, and what a reader was not shown, is not saved.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.manner import Context
from core.models import Hit, Kind, Note, Record, Source
from core.question import Condition
from core.turns.trace.checks import judge_step, search_again_step, support_step
from core.turns.trace.step import Facts, TraceStep


def answer_steps(
    record: Record,
    *,
    filtered: bool = True,
    with_prompt: bool = False,
) -> Iterator[TraceStep]:
    """From the question as asked to what may be asked next, in the pipeline's order.

    `filtered`: False when whoever asked took the filters away; `with_prompt`: with its text.
    """
    yield _complete(record)
    yield _classify(record)
    yield _filter(record, filtered=filtered)
    yield _retrieve(record)
    yield from _places(record)
    yield _confirm(record)
    yield from _expand(record)
    yield from judge_step(record)
    if record.answer.model:
        yield _prompt(record, with_prompt=with_prompt)
    yield _generate(record)
    yield from support_step(record)
    yield from search_again_step(record)
    yield _cite(record)
    yield _confidence(record)
    yield from _suggest(record)
    yield _cost(record)


def _complete(record: Record) -> TraceStep:
    done = record.completed
    outputs = {
        "text": done.text,
        "by": done.by or ("rules" if done.is_changed else ""),
        "added": list(done.context),
        "added_is_forgotten": done.forgotten,
    }
    inputs = {"question": done.as_asked}
    return _step(record, "complete", "worker/question/rewrite.py", inputs, outputs)


def _classify(record: Record) -> TraceStep:
    done = record.completed
    inputs, outputs = {"text": done.text}, {"kind": done.kind.value}
    return TraceStep("classify", "worker/question/classify.py", inputs, outputs)


def _filter(record: Record, *, filtered: bool) -> TraceStep:
    done = record.completed
    inputs = {
        "text": done.text if done.by else done.question,
        "taken_away": not filtered,
    }
    outputs = {"conditions": list(map(_condition, done.conditions))}
    return _step(record, "filter", "worker/filters/__init__.py", inputs, outputs)


def _condition(condition: Condition) -> Facts:
    return {
        "field": condition.field.value,
        "value": condition.value,
        "said": condition.said,
    }


def _retrieve(record: Record) -> TraceStep:
    done, manner = record.completed, record.manner
    notes = record.answer.notes
    inputs = {
        "question": done.searched,
        "context": list(done.context),
        "conditions": len(done.conditions),
        "mode": manner.mode.value,
        "spaces": list(manner.spaces),
        "pieces": manner.evidence or "by kind",
    }
    outputs = {
        "words_only": Note.WORDS_ONLY in notes,
        "conditions_dropped": Note.CONDITIONS_DROPPED in notes,
        "evidence": _evidence(record),
    }
    return _step(record, "retrieve", "worker/retrieval/retriever.py", inputs, outputs)


def _evidence(record: Record) -> list[Facts]:
    cited: dict[str, list[int]] = {}
    for source in record.answer.sources:
        for evidence_id in source.evidence_ids:
            cited.setdefault(evidence_id, []).append(source.number)
    found: list[Facts] = []
    for rank, hit in enumerate(record.hits, 1):
        sources = cited.get(hit.evidence.id, [])
        found.append({"rank": rank} | _hit(hit) | {"sources": sources})
    return found


def _hit(hit: Hit) -> Facts:
    piece, page = hit.evidence, hit.page
    return {
        "where": _where(page.title, *piece.heading_path[-1:]),
        "kind": piece.kind.value,
        "lexical": hit.lexical,
        "in_page": hit.in_page,
        "dense": hit.dense,
        "fused": hit.score,
        "aside": hit.aside,
        "copies": [copy.page.title for copy in hit.copies],
        "id": piece.id,
        "page_id": page.id,
        "version": page.version,
        "url": page.url,
        "text": piece.text,
    }


def _places(record: Record) -> Iterator[TraceStep]:
    """Statements of the entities, where the question names one; timed with the search."""
    pieces = [hit.evidence for hit in record.hits if hit.evidence.kind is Kind.PLACE]
    if pieces:
        inputs = {"question": record.completed.text}
        outputs = {"places": [piece.text for piece in pieces]}
        yield TraceStep("entities", "worker/entities/__init__.py", inputs, outputs)


def _confirm(record: Record) -> TraceStep:
    inputs = {"permission_mode": record.settings.get("permission_mode", "")}
    outputs = {"given_to_the_answerer": len(record.hits)}
    return _step(record, "confirm", "worker/retrieval/live_access.py", inputs, outputs)


def _expand(record: Record) -> Iterator[TraceStep]:
    if "widen" not in record.seconds:
        return
    outputs = {
        "pieces_of_blocks": sum(len(hit.block) for hit in record.hits),
        "rows_of_tables": sum(hit.table_rows > 0 for hit in record.hits),
    }
    context = record.manner.context
    inputs = {"kind": record.completed.kind.value, "context": context.value}
    module = "whole_pages" if context is Context.PAGES else "expand"
    yield _step(record, "widen", f"worker/retrieval/{module}.py", inputs, outputs)


def _prompt(record: Record, *, with_prompt: bool) -> TraceStep:
    outputs: Facts = {
        "characters": len(record.prompt),
        "pieces": len(record.hits),
        "is_forgotten": not record.prompt,
    }
    if with_prompt:
        outputs["prompt"] = record.prompt
    inputs = {"context_tokens": record.settings.get("llm_context_tokens", "")}
    return TraceStep("prompt", "worker/prompting/context_window.py", inputs, outputs)


def _generate(record: Record) -> TraceStep:
    answer, manner = record.answer, record.manner
    quoted = not answer.model
    module = "extractive/extractor.py" if quoted else "generation/generator.py"
    inputs = {
        "pieces": len(record.hits),
        "length": manner.length.value,
        "tone": "" if quoted else manner.tone.value,
        "language": manner.language,
    }
    outputs = {
        "text": answer.text,
        "by": answer.model or "quoted",
        "notes": [note.value for note in answer.notes],
    }
    return _step(record, "generate", f"worker/{module}", inputs, outputs)


def _cite(record: Record) -> TraceStep:
    sources = list(map(_source, record.answer.sources))
    inputs = {"pieces": len(record.hits)}
    return TraceStep("cite", "worker/text/citations.py", inputs, {"sources": sources})


def _source(source: Source) -> Facts:
    return {
        "number": source.number,
        "where": _where(source.title, source.heading),
        "confidence": source.confidence.value if source.confidence else "",
        "since": source.since.value if source.since else "",
        "also": [title for title, _ in source.also],
        "url": source.url,
        "evidence_ids": list(source.evidence_ids),
    }


def _confidence(record: Record) -> TraceStep:
    level = record.answer.confidence
    inputs = {"pages": len({hit.page.key for hit in record.hits})}
    outputs = {"confidence": level.value if level else "none"}
    return TraceStep("confidence", "worker/generation/confidence.py", inputs, outputs)


def _suggest(record: Record) -> Iterator[TraceStep]:
    suggestions = list(record.answer.suggestions)
    if "suggest" in record.seconds or suggestions:
        inputs = {"setting": record.settings.get("suggestions", "")}
        outputs = {"suggestions": suggestions}
        yield _step(record, "suggest", "worker/suggestions/suggester.py", inputs, outputs)


def _cost(record: Record) -> TraceStep:
    """What all steps have cost together."""
    usage = record.usage
    outputs = {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "model_seconds": usage.seconds,
        "seconds": record.seconds,
    }
    took = sum(record.seconds.values())
    return TraceStep("cost", "worker/pipeline/run.py", {"settings": record.settings}, outputs, took)


def _step(record: Record, name: str, module: str, inputs: Facts, outputs: Facts) -> TraceStep:
    """A step under the name that the pipeline times it by."""
    return TraceStep(name, module, inputs, outputs, record.seconds.get(name))


def _where(*names: str) -> str:
    return " › ".join(filter(None, names))
