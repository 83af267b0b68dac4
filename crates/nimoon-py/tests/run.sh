#!/bin/sh
# Builds the wheel in a fresh virtual environment, installs it there, and runs all tests of the package.
#
# PYTHON names the interpreter, PROFILE the profile of the wheel (dev unless told otherwise); arguments go to pytest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
crate=$(cd "$here/.." && pwd)
root=$(cd "$crate/../.." && pwd)
python=${PYTHON:-python3}

needing="the tests of the Python package need it"
. "$root/xtask/scripts/needs.sh"
command -v "$python" >/dev/null || missing "Python" "install version 3.10 or later, or tell where it is by PYTHON"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
    || missing "Python 3.10" "$python is older; tell where a later one is by PYTHON"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv" 2>"$work/log" || missing "the module venv" "$(tail -n 1 "$work/log")"
venv=$work/venv/bin
"$venv/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" 2>"$work/log" \
    || missing "the network of pip" "$(tail -n 1 "$work/log")"

if [ -z "${NIMOON:-}" ]; then
    (cd "$root" && cargo build --quiet)
    NIMOON=$root/target/debug/nimoon
    export NIMOON
fi
(cd "$crate" && "$venv/maturin" build --quiet --profile "${PROFILE:-dev}" --interpreter "$venv/python" --out "$work/wheels")
"$venv/python" -m pip install --quiet --disable-pip-version-check "$work"/wheels/*.whl
cd "$crate"

"$venv/python" -m pytest -q -p no:cacheprovider "$@"
