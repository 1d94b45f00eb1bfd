"""What the options of EndoVL may say: its table, columns, units and names."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_Column = str | None


class EndoVLColumns(BaseModel):
    """Column of the table by our name of it; null where the table has none."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    image: str = Field("image", min_length=1, description="path of the picture")
    paris: _Column = Field("paris", description="Paris type: 0-Ip, 0-Isp, 0-Is or 0-IIa")
    congestion: _Column = Field("congestion", description="0 or 1, no or yes")
    lobulated: _Column = Field("lobulated", description="0 or 1, no or yes")
    villous: _Column = Field("villous", description="0 or 1, no or yes")
    size: _Column = Field("size_cm", description="largest diameter in size_unit")
    descriptors: _Column = Field("descriptors", description="names, separated")
    split: _Column = Field("split", description="train, val, validation or test")
    patient: _Column = Field(None, description="patient or sequence")


class EndoVLOptions(BaseModel):
    """What the options of EndoVL may say."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    table: str = Field(min_length=1)
    images: str
    columns: EndoVLColumns
    size_unit: Literal["cm", "mm"]
    separator: str = Field(min_length=1, max_length=1)
    descriptor_names: dict[str, str]
