#!/bin/sh
# Runs the tests of the page in a real browser, and gets what they need where that is possible.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)

needing="the tests of the page need it"
. "$root/xtask/scripts/needs.sh"

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null \
    && ! command -v google-chrome >/dev/null; then
    install chromium || missing chromium "apt-get install chromium, or tell where it is by CHROMIUM"
fi
if ! command -v npm >/dev/null; then
    install nodejs npm || missing "node with npm" "install version 20 or later"
fi

cd "$here"
if [ ! -d node_modules/playwright-core ] || [ package-lock.json -nt node_modules ]; then
    npm ci --no-audit --no-fund --silent || missing playwright-core "npm ci failed in $here"
    touch node_modules
fi
if [ -z "${NIMOON:-}" ]; then
    (cd "$root" && cargo build --quiet)
    NIMOON=$root/target/debug/nimoon
    export NIMOON
fi
exec node --test --test-reporter=spec --test-concurrency=1 "$@"
