"""How well a span answers a question.

rank       the score of a span, made of all that follows
coverage   which share of the question it says, also where it calls things otherwise
fitting    what the kind of the question asks for
by_reader  what the text reader makes of it
"""
