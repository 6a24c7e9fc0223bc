"""What errors are planted with: words and units, and what is written in their place."""

from __future__ import annotations

SPELLED = (
    "two three four five six seven eight nine ten twelve fourteen",
    "zwei drei vier fünf sechs sieben acht neun zehn zwölf vierzehn",
)
UNITS = (
    "minutes hours days weeks months years",
    "minute hour day week month year",
    "EUR USD",
    "euros dollars",
    "€ $",
    "km miles",
    "kg tons",
    "GB MB",
    "percent degrees",
    "Minuten Stunden Wochen Monate Jahre",
    "Tage Wochen",
    "Tagen Wochen",
    "Tag Monat",
    "Euro Dollar",
    "Punkten Prozent",
    "Ampullen Liter",
    "Kilogramm Gramm",
    "Monaten Tagen",
)
MONTHS = (
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
)
DAYS = ("Monday Tuesday Wednesday Thursday Friday", "Montag Dienstag Mittwoch Donnerstag Freitag")
NEGATIONS = (
    (r"\b(is|are|was|were|can|may|must|should|does|do|will|has|have) not\b", r"\1"),
    (r"\b(\w+)n['’]t\b", r"\1"),
    (r"\bcannot\b", "can"),
    (r"\bnever\b", "always"),
    (r"\bno longer\b", "still"),
    (r"\b[Nn]obody\b", "Everybody"),
    (r"\bnone were\b", "some were"),
    (r"\b(?:no|No)\b (?!more|later|less|longer)", "a "),
    (r"\bnicht\b ", ""),
    (r"\bnie\b", "immer"),
    (r"\b([Kk])(ein(?:e[nmrs]?)?)\b", r"\2"),
    (r"\bniemand\b", "jeder"),
    (r"\bNiemanden\b", "Jeden"),
)
ADDED = (
    (r"\b(is|are|was|were|can|may|must|should|will)\b (?!not\b|never\b|no\b)", r"\1 not "),
    (r"\b(ist|sind|war|kann|darf|muss|dürfen|können|wird|werden)\b (?!nicht\b|kein)", r"\1 nicht "),
)
QUANTIFIERS = (
    ("at least", "at most"),
    ("at most", "at least"),
    ("up to", "at least"),
    ("no more than", "no less than"),
    ("more than", "less than"),
    ("All", "Some"),
    ("each", "some"),
    ("all", "some"),
    ("Most", "All"),
    ("before", "after"),
    ("After", "Before"),
    ("above", "below"),
    ("maximum", "minimum"),
    ("mindestens", "höchstens"),
    ("höchstens", "mindestens"),
    ("bis zu", "mindestens"),
    ("Alle", "Einige"),
    ("alle", "einige"),
    ("Vor", "Nach"),
    ("Nach", "Vor"),
    ("Maximal", "Mindestens"),
    ("maximal", "mindestens"),
    ("unter", "über"),
    ("Ab", "Bis"),
    ("innerhalb von", "erst nach"),
    ("Innerhalb von", "Erst nach"),
)
