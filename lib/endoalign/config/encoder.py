"""Names of encoders in parameters, checked before anything heavy."""

from typing import Annotated

from pydantic import AfterValidator

from endoalign.models.entries import find_entry


def _known(name: str) -> str:
    find_entry(name)
    return name


EncoderName = Annotated[str, AfterValidator(_known)]
"""A name of the registry of encoders, or of an architecture of OpenCLIP."""
