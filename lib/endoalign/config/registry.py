"""Model of the parameters of every notebook, by notebook name."""

from endoalign.config.base import Parameters
from endoalign.config.corpus import CorpusParameters
from endoalign.config.curation import CurationParameters
from endoalign.config.endovlm import EndovlmParameters
from endoalign.config.ent_lora import EntLoraParameters
from endoalign.config.eval_ent import EvalEntParameters
from endoalign.config.retrieval import RetrievalParameters
from endoalign.config.stage_one import StageOneParameters
from endoalign.config.stage_three import StageThreeParameters
from endoalign.config.stage_two import StageTwoParameters

MODELS: dict[str, type[Parameters]] = {
    "00_corpus": CorpusParameters,
    "01_curation": CurationParameters,
    "02_stage1_localisation": StageOneParameters,
    "03_stage2_anchors": StageTwoParameters,
    "04_stage3_disambiguation": StageThreeParameters,
    "05_endovlm_pretraining": EndovlmParameters,
    "06_ent_lora": EntLoraParameters,
    "07_eval_retrieval": RetrievalParameters,
    "11_eval_ent": EvalEntParameters,
}


def parameters_of(name: str) -> type[Parameters]:
    """Model of the parameters of the notebook ``NN_name``.

    Raises:
        KeyError: unknown notebook; the message lists the known ones.
    """
    if name not in MODELS:
        raise KeyError(f"no parameters for notebook {name!r}; known: {', '.join(MODELS)}")
    return MODELS[name]
