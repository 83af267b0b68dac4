#!/bin/sh
# Builds the wheel, installs it into the virtual environment of the tests, and runs the tests of the package.
#
# PYTHON is the interpreter and PROFILE the profile of the wheel (default: dev). The arguments go to pytest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
crate=$(cd "$here/.." && pwd)
root=$(cd "$crate/../.." && pwd)

sh "$root/xtask/scripts/setup.sh" python
venv=$root/target/python-tests/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${NIMOON:-}" ]; then
    (cd "$root" && cargo build --quiet)
    NIMOON=$root/target/debug/nimoon
    export NIMOON
fi
(cd "$crate" && "$venv/maturin" build --quiet --profile "${PROFILE:-dev}" --interpreter "$venv/python" --out "$work/wheels")
"$venv/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$work"/wheels/*.whl
cd "$crate"

"$venv/python" -m pytest -q -p no:cacheprovider "$@"
