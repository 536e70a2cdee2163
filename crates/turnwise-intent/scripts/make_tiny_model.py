#!/usr/bin/env python3
"""Writes tests/data/tiny-bert: a network of a few kilobytes with the inputs, the output and the files of a BERT model.

    pip install numpy onnx
    python crates/turnwise-intent/scripts/make_tiny_model.py

Its pieces are single letters and its weights are drawn from a fixed seed, so what it says of a text means nothing. The
tests need it to see that files are found, read and told apart without weights of ninety megabytes.
"""

import json
import pathlib
import string

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DIMENSIONS, SEED = 16, 7
FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "data" / "tiny-bert"
LETTERS = string.ascii_letters + string.digits
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, *(f"##{c}" for c in LETTERS), *string.punctuation]


def network() -> onnx.ModelProto:
    random = np.random.default_rng(SEED)
    weights = {
        "words": random.normal(size=(len(PIECES), DIMENSIONS)),
        "sentences": random.normal(size=(2, DIMENSIONS)),
        "mix": random.normal(size=(DIMENSIONS, DIMENSIONS)) / DIMENSIONS**0.5,
    }
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["word"]),
        helper.make_node("Gather", ["sentences", "token_type_ids"], ["sentence"]),
        helper.make_node("Add", ["word", "sentence"], ["sum"]),
        helper.make_node("MatMul", ["sum", "mix"], ["mixed"]),
        helper.make_node("Tanh", ["mixed"], ["bent"]),
        helper.make_node("Cast", ["attention_mask"], ["kept"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["kept", "last"], ["wide"]),
        helper.make_node("Mul", ["bent", "wide"], ["last_hidden_state"]),
    ]
    constants = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    constants.append(numpy_helper.from_array(np.array([2], np.int64), "last"))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"]) for name in names]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "s", DIMENSIONS])
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def main() -> None:
    (FOLDER / "1_Pooling").mkdir(parents=True, exist_ok=True)
    model = network()
    onnx.checker.check_model(model)
    onnx.save(model, FOLDER / "model.onnx")
    tokenizer = {
        "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {piece: at for at, piece in enumerate(PIECES)}},
    }
    (FOLDER / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    pooling = {"word_embedding_dimension": DIMENSIONS, "pooling_mode_mean_tokens": True}
    (FOLDER / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")


if __name__ == "__main__":
    main()
