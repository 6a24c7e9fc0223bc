"""Formulas of the Marketplace's apps: their LaTeX, within a line or as code of its own."""

from __future__ import annotations

from indexer.parse.document.blocks import Code
from indexer.parse.document.flow import Flow
from indexer.parse.elements.code import preformatted_body
from indexer.parse.markup.xml import Element, child, parameter_element

# "eazy" is how one of the apps spells itself.
INLINE_FORMULAS = (
    *("mathinline", "eazy-math-inline", "easy-math-inline", "mathjax-inline-macro", "latex-inline"),
)
FORMULAS = (
    *("mathblock", "eazy-math-block", "easy-math-block", "easy-math-block-l"),
    *("mathjax-block-macro", "latex", "latex-formatting", "orah-latex"),
)


def inline_formula(element: Element, flow: Flow) -> None:
    """Within a line, as code: its stars and underscores are no emphasis."""
    latex = " ".join(_latex(element, flow).split())
    mark = "" if "`" in latex else "`"
    flow.add_text(f"{mark}{latex}{mark}" if latex else "")


def formula(element: Element, flow: Flow) -> None:
    """A block of its own, whose lines are kept."""
    latex = _latex(element, flow)
    if latex:
        flow.emit(Code(latex, language="latex"))


def _latex(element: Element, flow: Flow) -> str:
    """From the body, else from the parameter that is called so."""
    body = child(element, "ac:plain-text-body", "ac:rich-text-body")
    if body is not None:
        return preformatted_body(element, flow)
    written = parameter_element(element, "body")
    if written is None:
        written = parameter_element(element, "")
    flow.walk(element)  # what broken markup left beside it
    return "" if written is None else "".join(map(str, written.itertext())).strip()
