"""Patterns of question classification: how questions of each kind are put, in English and German.

`^` is the beginning of a sentence, case does not matter, and the first match decides.
"""

from __future__ import annotations

from core.question import QuestionKind

_NUMBER = (
    r"(\d|one|two|three|four|five|six|eight|ten|an? |zwei|drei|vier|fünf|sechs|acht|zehn|eine?n? )"
)
# Ends in s, but not as status or access does.
_PLURAL = r"(?!does\b|has\b|is\b|was\b)[\w-]+(?<![sui])s"
_OF_MANY = r"(are|were|do|did|have|had|can|may|must|should|will|need|exist|apply)"
_VON_VIELEN = r"(sind|waren|haben|hatten|werden|wurden|können|müssen|dürfen|sollen|gibt es)"
# A verb that begins a question, in English and in German.
VERB = (
    r"(is|are|was(?! ist)|were|do|does|did|has|have|had"
    r"|can|could|may|might|must|should|shall|will|would|need)"
)
WERB = (
    r"(ist|sind|war|waren|hat|haben|hatten?|kann|können|könnte|darf|dürfen"
    r"|muss|müssen|soll|sollen|sollte|wird|werden|wurden?)"
)
# `was` in German, not in English: a small letter follows, and no English word.
_WAS = (
    r"was (?!(the|there|that|she|he|it|one|ist mit)\b)"
    r"((?-i:[a-zäöüß]+(t|e|en|d))|kann|muss|soll|darf|war|für|genau)\b"
)

RULES: tuple[tuple[QuestionKind, str], ...] = (
    # Whatever follows, the answer is yes or no.
    (
        QuestionKind.CONFIRMATION,
        r"is (it|that|this) (true|correct|right)|stimmt (es|das)|ist (es|das) (wahr|richtig)",
    ),
    # The case stands first, whatever is asked of it.
    (
        QuestionKind.HYPOTHETICAL,
        r"^(if (?!yes\b|so\b)|in case|suppose|supposing|assuming|assume|imagine)\b",
    ),
    # The same in German.
    (QuestionKind.HYPOTHETICAL, r"^(wenn (?!ja\b)|falls|angenommen|gesetzt den fall|im falle?)\b"),
    # Asks for what follows from a case.
    (
        QuestionKind.HYPOTHETICAL,
        r"^what (if\b|becomes of"
        r"|(would |will )?happens?\b.*\b(if|when|once|unless|to|without)\b)",
    ),
    # The same in German.
    (
        QuestionKind.HYPOTHETICAL,
        r"^was (wäre|wird aus|ist,? ?(wenn|falls)"
        r"|(passiert|geschieht)\b.*\b(wenn|falls|bei|mit))\b",
    ),
    # A yes or no of something that is not so.
    (QuestionKind.HYPOTHETICAL, r"^would\b.*\b(if|without)\b|^würden?\b.*\b(wenn|ohne)\b"),
    # Asks for what is behind it.
    (QuestionKind.CAUSE, r"\b(why|how come|what (led|leads) to|what makes)\b"),
    # The same in German.
    (QuestionKind.CAUSE, r"\b(warum|wieso|weshalb|weswegen|woran lieg|wodurch)"),
    # Names the cause itself.
    (
        QuestionKind.CAUSE,
        r"\b(reasons? (for|of|why|behind|that)|(root )?causes?\b|caused|for (what|which) reason)",
    ),
    # The same in German.
    (
        QuestionKind.CAUSE,
        r"\b(gr[uü]nde? (für|dafür|hat|war|ist|von)|ursachen?\b|verursach|aus welche[mn] gr)",
    ),
    # Says so.
    (
        QuestionKind.COMPARISON,
        r"\b(differences?|differs?|compar\w+|versus|vs|pros and cons|in common)\b",
    ),
    # One thing weighed against another.
    (
        QuestionKind.COMPARISON,
        r"\b(advantages?|benefits?|drawbacks?)\b.*\b(over|against|compared)\b",
    ),
    # Says so in German.
    (
        QuestionKind.COMPARISON,
        r"unterschied|unterscheide|vergleich|verglichen|gemeinsamkeit|vor- und nachteil",
    ),
    # One thing against another; against a number it is a limit.
    (QuestionKind.COMPARISON, rf"\b(\w+er|more \w+|less \w+|better|worse) than (?!{_NUMBER})"),
    # The same in German.
    (QuestionKind.COMPARISON, rf"\b\w+er als (?!{_NUMBER})"),
    # A choice between two that are named.
    (QuestionKind.COMPARISON, r"^(should|shall|which|soll(te)?n?|welche[rs]?) .*\b(or|oder)\b"),
    # Weighs two that are named.
    (QuestionKind.COMPARISON, r"\b(more|fewer|mehr|weniger)\b.*\b(or|oder)\b"),
    # Asks for the way; `how many` and its like do not.
    (
        QuestionKind.PROCEDURE,
        r"\bhow (to|do|does|did|can|could|should|would|shall|must|is|are|was|were|will)\b",
    ),
    # Asks what to do.
    (
        QuestionKind.PROCEDURE,
        r"^what (do|should|must|can|shall|am|are) .*\bdo(ne)?\b|^what (is|needs) to be done\b",
    ),
    # Names the way itself.
    (
        QuestionKind.PROCEDURE,
        r"\b(steps?|procedure|process|instructions?|walk (me|us) through)\b"
        r".*\b(to|for|of|through)\b",
    ),
    # Asks for the way, in German.
    (
        QuestionKind.PROCEDURE,
        r"\bwie (wird|werden|funktionier\w+|geh(t|en)|läuft|lässt"
        r"|(?!oft|lange?|viele?|heißt?)\w+ (ich|wir|man|du|sie))\b",
    ),
    # The same by its names.
    (
        QuestionKind.PROCEDURE,
        r"^was\b.*\b(zu tun|tun|machen|unternehmen)\b"
        r"|\bschritte?\b|\banleitung|\bvorgehen|\bablauf\b",
    ),
    # Says so.
    (QuestionKind.LIST, r"^(list|enumerate|name|nenne?n?|liste|zähle?n?)\b"),
    # Everything of a sort.
    (
        QuestionKind.LIST,
        r"\b(all of the|a list of|overview of|(show|give|tell) (me |us )?(all|every)"
        r"|(what|who|wer|was) all\b)|übersicht|liste (der|aller|von)",
    ),
    # Asks for more than one.
    (QuestionKind.LIST, r"^(what|who) (are|were)\b|^(was|wer) (sind|waren)\b"),
    # A noun in the plural.
    (
        QuestionKind.LIST,
        rf"\bwhich ({_PLURAL}\b|[\w-]+ {_PLURAL} ({_OF_MANY}|is|was)|of .*\b{_OF_MANY})\b",
    ),
    # The same after `what`.
    (QuestionKind.LIST, rf"\bwhat ([\w-]+ )?({_PLURAL} {_OF_MANY}\b|(kinds|types|sorts) of)"),
    # The same in German: noun, adjective or verb in the plural.
    (
        QuestionKind.LIST,
        rf"\bwelche ([\w-]+ )?((?!den\b|einen\b|diesen\b)[\w-]+en(?![\w-])|[^?]*\b{_VON_VIELEN}\b)",
    ),
    # Only a plural has this form after these words.
    (QuestionKind.LIST, r"\b(bei|in|mit|von|zu|an|auf|aus) welchen\b"),
    # Asks for a measure: how many, wie lange.
    (QuestionKind.FACTOID, r"\b(how|wie) \w+"),
    # Asks for one thing.
    (QuestionKind.FACTOID, r"^(\w+ )?(who|whom|whose|when|where|which|what(?! about))\b"),
    # The same in German.
    (
        QuestionKind.FACTOID,
        rf"^(\w+ )?(wer|wem|wen|wann|woh?e?r?(hin|mit|für|von|zu)?|welche\w?|{_WAS})\b",
    ),
    # Begins with the verb.
    (QuestionKind.CONFIRMATION, rf"^({VERB}(n.t)?|am i|{WERB})\b"),
    # The same with other verbs.
    (
        QuestionKind.CONFIRMATION,
        r"^(gibt|gilt|gelten|brauch(e|t|en)|bekomm(e|t|en)|geht|reicht"
        r"|zählt|gehört|bin|bist|habe|hast|steht|läuft|funktioniert)\b",
    ),
)
