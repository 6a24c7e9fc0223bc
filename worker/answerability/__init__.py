"""Answerability: whether the evidence answers the question, and how sure an answer is of it.

vectors     what question and evidence mean, each text embedded once
covering    how far a text has the words of a question
signs       what question and evidence say of it: their words, their meaning
fitted      weights that were fitted on labelled questions, kept as data beside this file
gate        refuses what no page answers, before a model is asked
badge       how often answers like this one are right, in three steps
"""
