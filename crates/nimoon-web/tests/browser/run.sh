#!/bin/sh
# Runs the tests of the page in a real browser, and gets what they need where that is possible.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null \
    && ! command -v google-chrome >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y --no-install-recommends chromium >/dev/null
    else
        echo "error: chromium is missing: apt-get install chromium, or tell where it is by CHROMIUM" >&2
        exit 1
    fi
fi
if ! command -v node >/dev/null; then
    echo "error: node is missing: the tests of the page need version 20 or later" >&2
    exit 1
fi

cd "$here"
if [ ! -d node_modules/playwright-core ] || [ package-lock.json -nt node_modules ]; then
    npm ci --no-audit --no-fund --silent
    touch node_modules
fi
if [ -z "${NIMOON:-}" ]; then
    (cd "$root" && cargo build --quiet)
    NIMOON=$root/target/debug/nimoon
    export NIMOON
fi
exec node --test --test-concurrency=1 "$@"
