"""EndoVLM: image sets and reports aligned as wholes and piece by piece (section 2)."""

import math
from collections.abc import Callable
from typing import Final

import torch
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor, nn
from torch.nn.functional import normalize

from endoalign.models.agsp import Pooled, sparse_pooling
from endoalign.models.architecture import seeded
from endoalign.models.chunks import in_chunks
from endoalign.models.endovlm_batch import Aligned, Examinations, Plan
from endoalign.models.endovlm_heads import ProjectionHeads
from endoalign.models.endovlm_settings import EndovlmModelSettings
from endoalign.models.endovlm_text import TextTower
from endoalign.models.ragged import Ragged
from endoalign.models.sc_mae import MaskedDecoder, Reconstruction, patch_side, reconstruct

TEMPERATURE: Final = 0.07
"""Where both learnable temperatures start, as CLIP's does."""

Measure = Callable[[Reconstruction], Tensor]
"""(n,) numbers of n reconstructed frames, as the loss of their hidden patches."""


class EndoVlm(nn.Module):
    """Both towers, their heads, the decoder and two logit scales.

    Args:
        seed: of the weights of heads and decoder; the towers come with theirs.
    """

    def __init__(
        self,
        settings: EndovlmModelSettings,
        image_tower: VisionTransformer,
        text_tower: TextTower,
        *,
        seed: int,
    ) -> None:
        super().__init__()
        self.settings, self.image_tower, self.text_tower = settings, image_tower, text_tower
        width, d = image_tower.embed_dim, settings.embed_dim
        separate = settings.heads == "separate"
        parts = 2 if settings.image_feature == "cls_and_mean" else 1
        with seeded(seed):
            self.image_heads = ProjectionHeads(width, d, parts=parts, separate=separate)
            self.text_heads = ProjectionHeads(text_tower.width, d, parts=1, separate=separate)
            self.decoder = MaskedDecoder(
                width,
                image_tower.patch_embed.grid_size,
                3 * patch_side(image_tower) ** 2,
                width=settings.decoder_width,
                depth=settings.decoder_depth,
                heads=settings.decoder_heads,
            )
        start = math.log(1 / TEMPERATURE)
        self.global_logit_scale = nn.Parameter(torch.tensor(start))
        self.fine_logit_scale = nn.Parameter(torch.tensor(start))

    def forward(self, batch: Examinations, plan: Plan, measure: Measure | None = None) -> Aligned:
        """Features of a batch, and what ``measure`` says of the reconstructed frames.

        Frames are reconstructed and measured chunk by chunk, so that the pixels of all of them are
        never held at once.

        Raises:
            ValueError: the plan reconstructs and there is no ``measure``, or sizes do not fit.
        """
        if plan.use_mae and measure is None:
            raise ValueError("the plan reconstructs frames: a measure is needed")
        global_visual = global_text = fine_text = pooled = errors = frames = None
        if plan.use_global or plan.use_fine:
            every = torch.arange(len(batch.frames), device=self.fine_logit_scale.device)
            images = in_chunks(
                lambda rows: self.image_trunk(_taken(batch, rows)),
                every,
                size=plan.frame_chunk,
                recompute=plan.recompute,
            )
            texts = self.text_trunk(batch.tokens)
            if plan.use_global:
                global_visual = self.case_features(images, batch.frame_sets)
                global_text = self.text_heads.globally(texts)[batch.reports]
            if plan.use_fine:
                fine_text = self.text_heads.finely(texts)[batch.propositions]
                pooled = self.pool(
                    fine_text,
                    self.image_heads.finely(images),
                    batch.proposition_sets,
                    batch.frame_sets,
                )
        if plan.use_mae and measure is not None:
            frames = self._to_reconstruct(batch, plan, pooled)
            errors = in_chunks(
                lambda rows: measure(self.reconstruct(*_hidden(batch, rows))),
                frames,
                size=plan.frame_chunk,
                recompute=plan.recompute,
            )
        fine_visual = None if pooled is None else pooled.features
        scales = self.global_logit_scale.exp(), self.fine_logit_scale.exp()
        return Aligned(
            global_visual, global_text, fine_visual, fine_text, pooled, errors, frames, *scales
        )

    def image_trunk(self, images: Tensor) -> Tensor:
        """What both heads of a picture take: (n, 3, S, S), or tokens of a stem -> (n, width)."""
        tokens = self.image_tower.forward_features(images)
        if self.settings.image_feature == "cls":
            return self.image_heads.trunk(tokens[:, 0])
        patches = tokens[:, self.image_tower.num_prefix_tokens :]
        return self.image_heads.trunk(tokens[:, 0], patches.mean(dim=1))

    def text_trunk(self, tokens: Tensor) -> Tensor:
        """What both heads of a text take: (n, length) -> (n, width)."""
        return self.text_heads.trunk(self.text_tower(tokens))

    def case_features(self, images: Tensor, frame_sets: Ragged) -> Tensor:
        """Unit-norm global features (B, d) of cases from the trunk features of their frames."""
        if self.settings.global_pool == "before_projection":
            return self.image_heads.globally(frame_sets.mean(images.float()))
        return normalize(frame_sets.mean(self.image_heads.globally(images)), dim=1)

    def pool(self, texts: Tensor, frames: Tensor, propositions: Ragged, sets: Ragged) -> Pooled:
        """Sparse pooling (equation 1) of fine-grained features, as the settings ask for it."""
        given = self.settings
        return sparse_pooling(
            texts,
            frames,
            propositions,
            sets,
            top_k=given.top_k,
            temperature=given.agsp_temperature,
            logit_scale=self.fine_logit_scale.exp() if given.scale_logits else None,
        )

    def reconstruct(
        self, images: Tensor, chances: Tensor, tokens: Tensor | None = None
    ) -> Reconstruction:
        """Hide patches of pictures and decode them (section 2.4); see `sc_mae.reconstruct`."""
        ratio = self.settings.mask_ratio
        return reconstruct(
            self.image_tower, self.decoder, images, chances, mask_ratio=ratio, tokens=tokens
        )

    @staticmethod
    def _to_reconstruct(batch: Examinations, plan: Plan, pooled: Pooled | None) -> Tensor:
        if plan.mae_frames == "selected" and pooled is not None:
            return pooled.selected()
        return torch.arange(len(batch.frames), device=batch.tokens.device)


def _taken(batch: Examinations, rows: Tensor) -> Tensor:
    tokens = batch.frames.tokens(rows)
    return batch.frames.pictures(rows) if tokens is None else tokens


def _hidden(batch: Examinations, rows: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    frames = batch.frames
    return frames.pictures(rows), frames.chances(rows), frames.tokens(rows)
