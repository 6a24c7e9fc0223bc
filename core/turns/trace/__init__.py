"""What a saved turn tells of its way: `python -m worker trace`, and the console.

step         a step as a value
answer       from the question to the answer
checks       whether evidence answers, and pages say the answer
afterwards   what hangs on an answer
saved        a turn with all of it
"""
