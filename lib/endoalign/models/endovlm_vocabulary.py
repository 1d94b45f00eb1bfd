"""A WordPiece vocabulary learnt from reports, for a text tower that starts from nothing."""

from collections.abc import Iterable
from typing import Final

from tokenizers import Tokenizer
from tokenizers.decoders import WordPiece as WordPieceDecoder
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import WordPieceTrainer
from transformers import PreTrainedTokenizerFast

SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_INSIDE: Final = "##"


def learn_vocabulary(texts: Iterable[str], size: int) -> PreTrainedTokenizerFast:
    """A lower-case BERT tokenizer whose word pieces come from ``texts`` alone.

    The same texts give the same pieces, in whatever order they come.

    Args:
        size: most word pieces, with the five special ones. All characters of the texts are kept,
            so that there may be a few more.

    Raises:
        ValueError: the texts hold no word.
    """
    distinct = sorted(set(texts))
    normaliser = BertNormalizer(lowercase=True)
    letters = sorted({c for text in distinct for c in normaliser.normalize_str(text) if c.strip()})
    if not letters:
        raise ValueError(f"{len(distinct)} texts hold no word to learn word pieces from")
    # The trainer numbers pieces inside words as it meets them, in an order that changes from run to
    # run, and breaks ties by number: given first, they have the same numbers each time.
    given = [*SPECIAL, *letters, *(f"{_INSIDE}{letter}" for letter in letters)]
    learner = Tokenizer(WordPiece(unk_token=SPECIAL[1]))
    learner.normalizer, learner.pre_tokenizer = normaliser, BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=max(size, len(given)),
        min_frequency=1,
        special_tokens=given,
        continuing_subword_prefix=_INSIDE,
        show_progress=False,
    )
    learner.train_from_iterator(distinct, trainer)
    return _bert_tokenizer(learner.get_vocab())


def _bert_tokenizer(vocabulary: dict[str, int]) -> PreTrainedTokenizerFast:
    pad, unknown, cls, sep, mask = SPECIAL
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=unknown))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.decoder = WordPieceDecoder(prefix=_INSIDE)
    tokenizer.post_processor = TemplateProcessing(
        single=f"{cls} $A {sep}",
        special_tokens=[(cls, vocabulary[cls]), (sep, vocabulary[sep])],
    )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        pad_token=pad,
        unk_token=unknown,
        cls_token=cls,
        sep_token=sep,
        mask_token=mask,
    )
