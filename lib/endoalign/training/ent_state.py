"""What an ENT-CLIP training changes, and what tells whether a folder holds this very one."""

import hashlib
from pathlib import Path

from torch import nn

import endoalign.losses
import endoalign.models
import endoalign.training
from endoalign.models.dual_encoder import DualEncoder
from endoalign.training.ent_data import EntPictures
from endoalign.training.ent_settings import EntSettings


def trained_part(model: nn.Module) -> nn.ParameterDict:
    """The parameters of a model that are trained, as a module whose state is theirs.

    They are the model's own, so that loading a state changes the model. What is frozen is left
    out: a state of a ViT-B/16 with adapters has some megabytes in the place of 600.
    """
    trained = {name: value for name, value in model.named_parameters() if value.requires_grad}
    return nn.ParameterDict({name.replace(".", "/"): value for name, value in trained.items()})


def ent_digest(
    encoder: DualEncoder, pictures: EntPictures, settings: EntSettings, seed: int
) -> str:
    """64 hexadecimal digits over all that the trained weights depend on, the code included."""
    digest = hashlib.sha256(f"{settings.model_dump_json()} {seed} {pictures.digest()}".encode())
    for name, value in encoder.model.state_dict().items():
        digest.update(name.encode())
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    for room in (endoalign.losses, endoalign.models, endoalign.training):
        for file in sorted(Path(room.__path__[0]).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
