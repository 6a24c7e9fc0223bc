"""Weights of the small model: out of their GGUF file to be tuned, and back into one to be served.

Names and layout are those of llama.cpp's GGUF for the architecture `llama`, which keeps the rows of
query and key turned: gguf-py, `gguf.constants`, and the permutation that rotary embeddings want.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


def load(file: Path) -> tuple[Any, Any]:
    """The tokenizer, and the model with its weights unpacked to 32 bits."""
    there = {"gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(file.parent, **there)
    model = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **there)
    return tokenizer, model


def save(original: Path, model: Any, layers: range, file: Path) -> None:
    """A GGUF with these layers of the model, and everything else as it was."""
    tuned = dict(_tuned(model, layers))
    reader = gguf.GGUFReader(original)
    architecture = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(file, architecture)
    for name, given in reader.fields.items():
        if not name.startswith("GGUF.") and name != "general.architecture":
            kind, *of = given.types
            writer.add_key_value(name, given.contents(), kind, of[0] if of else None)
    for tensor in reader.tensors:
        if tensor.name in tuned:
            writer.add_tensor(tensor.name, tuned[tensor.name])
        else:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _tuned(model: Any, layers: range) -> Any:
    heads = {
        "attn_q": model.config.num_attention_heads,
        "attn_k": model.config.num_key_value_heads,
    }
    for number in layers:
        for name, weight in model.model.layers[number].named_parameters():
            of = _NAMES[name.removesuffix(".weight")]
            values = weight.detach().numpy()
            if of in heads:
                values = turned(values, heads[of])
            # Norms are vectors, which llama.cpp wants in 32 bits.
            kind = np.float32 if values.ndim == 1 else np.float16
            yield f"blk.{number}.{of}.weight", np.ascontiguousarray(values, kind)


def turned(values: np.ndarray[Any, Any], heads: int) -> np.ndarray[Any, Any]:
    """Rows of each head in pairs: the halves that are rotated together stand side by side.

    >>> turned(np.arange(8), heads=2).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    halves = values.reshape(heads, 2, len(values) // heads // 2, *values.shape[1:])
    return halves.swapaxes(1, 2).reshape(values.shape)
