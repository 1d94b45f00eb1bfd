"""What a grammar holds: the few function words that sentences are built of, as patterns."""

import re
from dataclasses import dataclass

Pattern = re.Pattern[str]


@dataclass(frozen=True)
class Grammar:
    """Patterns of one language, over normalised lower-case text."""

    denial_end: Pattern  # ends the reach of a cue that denies
    back_stop: Pattern  # ends that of a cue that reaches back
    manner: Pattern  # a cue that only qualifies what it follows ("removed without …")
    list_gap: Pattern  # may stand between items of one list
    same_gap: Pattern  # between two words for one lesion ("polyp versus …")
    explains: Pattern  # between a finding and its cause or name ("… consistent with …")
    renames: Pattern  # the same, with words of the first in between
    along: Pattern  # before a sign of the abnormality just named ("… with …")
    separator: Pattern  # may cut a sentence; its group ``strong`` before others
    starts_new: Pattern  # behind a separator, makes it likely that a new statement starts
    boundary: Pattern  # may separate what was seen from a plan or the past
    site_joint: Pattern  # may stand inside a place
    extent: Pattern  # before a site, says how far the endoscope went
    surroundings: Pattern  # takes the words after it away from the lesion
    definite: Pattern  # before a noun, points back ("the", "both")
    new_one: Pattern  # brings in another finding
    points_back: Pattern  # at the start of a sentence, goes on with the lesion before it
    points_to_all: Pattern  # the same, with all lesions before it
    here: Pattern  # the same, with the place before it
    carries: Pattern  # goes on at the site of the last finding
    elsewhere: Pattern  # speaks of all other places
    looked_at: Pattern  # says that a site was examined
    moved: Pattern  # has the endoscope on its way
    treated: Pattern  # tells of a lesion that it was dealt with
    seen: Pattern  # tells that something was seen: a complaint is not
    tells: Pattern  # a whole statement that something was
    finite: Pattern  # verbs that make a sentence of a title
    procedure: Pattern  # words of the name of a procedure
