"""Score of a submission to ENTRep where its answers are known, as those of the world are."""

import json
from pathlib import Path

from endoalign.evaluation.ent_format import CLASS_IDS


def challenge_score(submission: Path, answers: Path) -> tuple[float, int]:
    """Share of the answers that are the challenge's own, and their number.

    Args:
        submission: a checked file of one track (`ent_format.check_submission`).
        answers: JSON object with the same keys; classes may be told by name or id.

    Raises:
        ValueError: the answers are not to the submission's questions; the message names a key.
    """
    given = json.loads(submission.read_text(encoding="utf-8"))
    known = json.loads(answers.read_text(encoding="utf-8"))
    odd = sorted(given.keys() ^ known.keys())
    if odd or not known:
        what = f"{odd[0]!r} stands in one of them alone" if odd else "there is no answer"
        raise ValueError(f"{submission} and {answers} do not belong together: {what}")
    right = sum(given[key] == CLASS_IDS.get(answer, answer) for key, answer in known.items())
    return right / len(known), len(known)
