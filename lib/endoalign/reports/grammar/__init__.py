"""The grammar words of each language: what joins, separates, points back, starts anew.

Terms of endoscopy are in the lexicons; here are the words that any sentence is made of.
"""

from endoalign.reports.grammar.chinese import CHINESE
from endoalign.reports.grammar.english import ENGLISH
from endoalign.reports.grammar.patterns import Grammar

GRAMMARS = {"en": ENGLISH, "zh": CHINESE}

__all__ = ["CHINESE", "ENGLISH", "GRAMMARS", "Grammar"]
