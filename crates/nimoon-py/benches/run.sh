#!/bin/sh
# Builds the package and the program for release, and measures what Python costs.
#
# PYTHON names the interpreter. The machine should have nothing else to do.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
crate=$(cd "$here/.." && pwd)
root=$(cd "$crate/../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${PYTHON:-python3}" -m venv "$work/venv"
venv=$work/venv/bin
"$venv/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.9.4,<2' numpy
(cd "$root" && cargo build --quiet --profile dist --bin nimoon)
(cd "$crate" && "$venv/maturin" build --quiet --profile dist --interpreter "$venv/python" --out "$work/wheels")
"$venv/python" -m pip install --quiet --disable-pip-version-check "$work"/wheels/*.whl
NIMOON=$root/target/dist/nimoon "$venv/python" "$here/measure.py"
