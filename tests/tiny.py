"""Tiny models with random weights: their output means nothing, how they are loaded is real.

Imports what the extra `models` brings, so tests reach it through the fixture `tiny`.
"""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

WORDS = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "leave",
    "days",
    "porto",
    "hotel",
    "backup",
    "has",
    "25",
    "a",
    "in",
    "of",
    ".",
)
WIDTH = 16
CONFIG = BertConfig(
    vocab_size=len(WORDS),
    hidden_size=WIDTH,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=WIDTH,
    max_position_embeddings=64,
    initializer_range=1.0,
    num_labels=1,
)


def encoder(folder: Path) -> Path:
    """What sentence-transformers loads and gives a mean pooling."""
    return _saved(folder, BertModel)


def m3(folder: Path) -> Path:
    """The same with the two further heads of a bge-m3."""
    _saved(folder, BertModel)
    torch.save(torch.nn.Linear(WIDTH, WIDTH).state_dict(), folder / "colbert_linear.pt")
    torch.save(torch.nn.Linear(WIDTH, 1).state_dict(), folder / "sparse_linear.pt")
    return folder


def cross_encoder(folder: Path) -> Path:
    """A pair of texts in, one number out."""
    return _saved(folder, BertForSequenceClassification)


def _saved(folder: Path, kind: type[BertModel] | type[BertForSequenceClassification]) -> Path:
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizerFast.from_pretrained(folder).save_pretrained(folder)
    torch.manual_seed(7)
    kind(CONFIG).save_pretrained(folder)
    return folder
