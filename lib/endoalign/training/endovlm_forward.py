"""From a batch of cases to what the model takes, and from what it says to the loss (eq. 6)."""

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from endoalign.losses.distributed import gathered_info_nce
from endoalign.losses.masked_reconstruction import masked_errors
from endoalign.losses.ragged_gather import gathered_fine_grained_loss, mean_of_all
from endoalign.models.endovlm_batch import Aligned, Examinations
from endoalign.models.endovlm_encoder import EndovlmEncoder
from endoalign.models.ragged import Ragged
from endoalign.models.sc_mae import Reconstruction
from endoalign.training.chance import uniform
from endoalign.training.endovlm_augmentation import EndovlmAugmentation
from endoalign.training.endovlm_batches import CaseBatch
from endoalign.training.endovlm_settings import EndovlmTrainingSettings


@dataclass(frozen=True)
class Losses:
    """The loss of equation 6 and its parts; parts that are left out are 0."""

    total: Tensor
    of_cases: Tensor
    fine_grained: Tensor
    reconstruction: Tensor


class TrainingFrames:
    """The frames of a batch as a `FrameSet`: augmented and masked by seed, epoch and frame."""

    def __init__(
        self,
        encoder: EndovlmEncoder,
        batch: CaseBatch,
        augmentation: EndovlmAugmentation,
        *,
        seed: int,
        epoch: int,
    ) -> None:
        self._encoder, self._items, self._augmentation = encoder, batch.items, augmentation
        self._pixels = batch.pixels.to(encoder.device, non_blocking=True)
        known = batch.tokens
        self._tokens = None if known is None else known.to(encoder.device, non_blocking=True)
        self._seed, self._epoch = seed, epoch

    def __len__(self) -> int:
        return len(self._items)

    def pictures(self, rows: Tensor) -> Tensor:
        """Pictures (n, 3, S, S), normalised."""
        items = self._items[rows.cpu().numpy()]
        pixels = self._pixels[rows]
        pictures = self._augmentation.apply(pixels, seed=self._seed, epoch=self._epoch, items=items)
        return self._encoder.normalise(pictures)

    def tokens(self, rows: Tensor) -> Tensor | None:
        """Tokens (n, patches, channels) of a frozen stem, where the batch holds them."""
        return None if self._tokens is None else self._tokens[rows]

    def chances(self, rows: Tensor) -> Tensor:
        """Numbers (n, patches) in [0, 1), those of each frame new in each epoch."""
        items = self._items[rows.cpu().numpy()]
        patches = self._encoder.model.image_tower.patch_embed.num_patches
        found = uniform("endovlm mask", self._seed, self._epoch, items, patches)
        return torch.from_numpy(found).to(self._encoder.device, torch.float32)


class EndovlmForward:
    """Runs a model on batches.

    Args:
        encoder: whose pixels' normalisation and tokens are used.
        model: its model, as Accelerate wrapped it.
    """

    def __init__(
        self, encoder: EndovlmEncoder, model: nn.Module, settings: EndovlmTrainingSettings
    ) -> None:
        self._encoder, self._model, self._settings = encoder, model, settings
        self._plan = settings.plan()
        self._augmentation = EndovlmAugmentation(
            settings.zoom, settings.rotation, settings.flip, settings.colour_jitter
        )
        self._errors = partial(_errors, settings.norm_pix_loss)

    def __call__(self, batch: CaseBatch, *, seed: int, epoch: int) -> Aligned:
        """What the model says of a batch; a text that stands in it several times is read once."""
        device = self._encoder.device
        frames = TrainingFrames(self._encoder, batch, self._augmentation, seed=seed, epoch=epoch)
        given = Examinations(
            frames,
            Ragged.of_counts(torch.from_numpy(batch.frame_counts), device),
            self._encoder.tokenize(batch.texts).to(device),
            torch.from_numpy(batch.propositions).to(device),
            Ragged.of_counts(torch.from_numpy(batch.proposition_counts), device),
            torch.from_numpy(batch.reports).to(device),
        )
        found: Aligned = self._model(given, self._plan, self._errors)
        return found

    def losses(self, found: Aligned, batch: CaseBatch, *, fine_share: float = 1.0) -> Losses:
        """The loss over the cases of all processes (equation 6), ``fine_share`` of lambda_1.

        Gradients are to be averaged over processes, as by DDP; so are the values to log.
        """
        settings, device = self._settings, found.fine_scale.device
        zero = torch.zeros((), device=device)
        of_cases, fine, pixels = zero, zero, zero
        if found.global_visual is not None and found.global_text is not None:
            same_text = settings.global_targets == "same_text"
            ids = torch.from_numpy(batch.report_ids).to(device) if same_text else None
            of_cases = gathered_info_nce(
                found.global_visual, found.global_text, found.global_scale, text_ids=ids
            )
        if found.fine_visual is not None and found.fine_text is not None:
            fine = gathered_fine_grained_loss(
                found.fine_visual,
                found.fine_text,
                torch.from_numpy(batch.regions).to(device),
                torch.from_numpy(batch.abnormal).to(device),
                found.fine_scale,
                target_power=settings.target_power,
            )
        if found.errors is not None:
            pixels = mean_of_all(found.errors)
        weight = fine_share * settings.fine_grained_weight
        total = of_cases + weight * fine + settings.mae_weight * pixels
        return Losses(total, *(part.detach() for part in (of_cases, fine, pixels)))


def _errors(norm_pix_loss: bool, found: Reconstruction) -> Tensor:
    return masked_errors(
        found.predicted, found.patches, found.is_masked, norm_pix_loss=norm_pix_loss
    )
