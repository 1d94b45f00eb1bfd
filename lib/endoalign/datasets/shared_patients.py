"""Patients (or sequences) that a published split has on both sides."""

import pandas as pd

from endoalign.datasets.contents import Contents


def shared_patients(contents: Contents, protocol: str) -> list[str]:
    """Return the patients with frames both in ``train`` and in ``test`` of a protocol, sorted.

    Folds with a training and a test part each, as in cross-validation, are looked at one by one;
    folds that are only trained or only tested on, such as several test sets, together.

    Args:
        contents: of a data set; where patients are not known, ``patient_id`` is the
            sequence or the picture, and nearer kinship cannot be seen.
        protocol: of the table ``splits``.

    Raises:
        ValueError: a protocol of which the data set has no split.
    """
    splits = contents.splits[contents.splits["protocol"] == protocol]
    if splits.empty:
        known = ", ".join(sorted(set(contents.splits["protocol"]))) or "none"
        raise ValueError(f"{contents.card.name}: no split of protocol {protocol!r}; known: {known}")
    splits = splits.assign(patient_id=_patients(contents, splits["frame_id"]))
    folds = [fold for _, fold in splits.groupby("fold")]
    if not any({"train", "test"} <= set(fold["part"]) for fold in folds):
        folds = [splits]
    return sorted(set().union(*map(_in_both, folds)))


def _patients(contents: Contents, frame_ids: pd.Series) -> pd.Series:
    """Return the patient of each frame (or case, where the splits hold its id)."""
    patient_of = contents.cases.set_index("case_id")["patient_id"]
    case_of = contents.frames.set_index("frame_id")["case_id"]
    return frame_ids.map(case_of).fillna(frame_ids).map(patient_of)


def _in_both(splits: pd.DataFrame) -> set[str]:
    train, test = (
        set(splits.loc[splits["part"] == part, "patient_id"].dropna()) for part in ("train", "test")
    )
    return train & test
