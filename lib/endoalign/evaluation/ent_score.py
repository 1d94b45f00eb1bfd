"""Score of a submission to ENTRep where its answers are known, as those of the world are."""

from pathlib import Path

from endoalign.corpus.validation import nearest
from endoalign.evaluation.ent_format import CLASS_IDS, read_answers


def challenge_score(submission: Path, answers: Path) -> tuple[float, int]:
    """Share of the answers that are the challenge's own, and their number.

    Args:
        submission: a checked file of one track (`ent_format.check_submission`).
        answers: JSON object with the same keys; classes may be told by name or id.

    Raises:
        ValueError: a file is no sound JSON object of answers, the answers are not to the
            submission's questions, or a class is unknown; the message names file and key.
    """
    given, known = _answered(submission), _answered(answers)
    odd = sorted(given.keys() ^ known.keys())
    if odd or not known:
        what = f"{odd[0]!r} stands in one of them alone" if odd else "there is no answer"
        raise ValueError(f"{submission} and {answers} do not belong together: {what}")
    right = 0
    for key, answer in known.items():
        asks_class = isinstance(given[key], int)
        if asks_class and isinstance(answer, str) and answer not in CLASS_IDS:
            near = nearest(answer, list(CLASS_IDS))
            raise ValueError(f"{answers}: {key!r}: {answer!r} is no class{near}")
        if not asks_class and isinstance(answer, int):
            raise ValueError(f"{submission}: {key!r}: {given[key]!r} is no id of a class, 0 to 6")
        right += given[key] == (CLASS_IDS[str(answer)] if answer in CLASS_IDS else answer)
    return right / len(known), len(known)


def _answered(file: Path) -> dict[str, str | int]:
    """Question -> a class by id or name, or the name of a picture."""
    found: dict[str, str | int] = {}
    for key, answer in read_answers(file).items():
        if not isinstance(answer, str | int):
            raise ValueError(f"{file}: {key!r}: {answer!r} is neither a class nor a picture's name")
        found[key] = answer
    return found
