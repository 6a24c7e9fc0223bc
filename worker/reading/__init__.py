"""Reads a piece for a question: does it answer, and with which words?"""
