#!/bin/sh
# Asks the server random questions by its OpenAPI document: no status is above 499 or undocumented, and every answer has the
# shape that the document gives it. `run.sh SECONDS`; default: 120.
#
# It installs schemathesis into target/schemathesis; PYTHON names the interpreter.
set -eu
seconds=${1:-120}
cd "$(dirname "$0")/../../../.."
needing="the test of the OpenAPI document needs it"
. xtask/scripts/needs.sh

wanted=schemathesis==4.32.5
venv=$PWD/target/schemathesis
python=${PYTHON:-python3}
if [ "$(cat "$venv/made-for" 2>/dev/null)" != "$wanted" ]; then
    command -v "$python" >/dev/null || missing Python "install version 3.10 or later, or set PYTHON to its path"
    echo "setup: $wanted in $venv" >&2
    rm -rf "$venv"
    mkdir -p target
    "$python" -m venv "$venv" || missing "the module venv" "install it, as by \`apt-get install python3-venv\`"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$wanted" || missing "the network of pip" "pip could not install $wanted"
    echo "$wanted" >"$venv/made-for"
fi
if [ -z "${NIMOON:-}" ]; then
    cargo build --quiet --release
    NIMOON=target/release/nimoon
fi

folder=$(mktemp -d)
"$NIMOON" serve --port 0 --time 3 >"$folder/address" &
server=$!
trap 'kill -INT $server 2>/dev/null || true; wait $server || true; rm -rf "$folder"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -s "$folder/address" ] && break
    sleep 0.5
done
address=$(sed 's,/$,,' "$folder/address")
# What a schema cannot say, such as the grammar of expressions, makes most random requests errors, so no check asks that
# valid requests are answered. Each worker is one of the few that the server lets wait, so that it need not refuse any.
"$venv/bin/schemathesis" run "$address/api/openapi.json" --url "$address" --seed 1 --workers 2 --max-time "$seconds" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
    --phases examples,coverage,fuzzing --request-timeout 60 --suppress-health-check all --continue-on-failure
