"""Cost: tokens and money by day, model, space and channel, and what the budget is."""

from __future__ import annotations

from starlette.responses import Response

from console.charts import DARK, LIGHT, money_by_day
from console.guard import Visit
from console.rendering import HEADERS
from console.reports.cost import Bills, bills
from core.reports.period import CHOICES, period


def show(visit: Visit) -> Response:
    chosen, settings = period(visit.asked("days") or "30"), visit.parts.settings
    return visit.show(
        "cost",
        bills=_bills(visit),
        period=chosen,
        choices=CHOICES,
        currency=settings.currency,
        has_prices=bool(settings.prices),
        limits={
            "LIMIT_TOKENS_PER_DAY": settings.limit_tokens_per_day,
            "LIMIT_MONEY_PER_DAY": settings.limit_money_per_day,
            "LIMIT_PERSON_TOKENS_PER_DAY": settings.limit_person_tokens_per_day,
            "LIMIT_PERSON_MONEY_PER_DAY": settings.limit_person_money_per_day,
        },
    )


def chart(visit: Visit) -> Response:
    """Money by day; tokens where nothing has a price."""
    inks = DARK if visit.asked("ground") == "dark" else LIGHT
    days = _bills(visit).days
    has_money = any(day.money for day in days)
    values = [(day.name, day.money or 0.0 if has_money else day.tokens) for day in days]
    picture = money_by_day(values, visit.say, inks)
    return Response(picture, media_type="image/svg+xml", headers=HEADERS)


def _bills(visit: Visit) -> Bills:
    chosen = period(visit.asked("days") or "30")
    settings = visit.parts.settings
    by_person = settings.console_cost_by_person and visit.is_operator
    return bills(visit.parts.database, chosen, settings.prices, by_person=by_person)
