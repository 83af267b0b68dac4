#!/bin/sh
# Builds the page that needs no server, compares its engine with the program's, and tests it in a real browser.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)

sh "$root/xtask/scripts/setup.sh" browser
sh "$root/xtask/scripts/page.sh"
cd "$root"
# With the program beside it, so that both use the same libraries.
cargo build --quiet --release --package nimoon-cli --package nimoon-wasm --example ask
cd "$here"
exec node --test --test-reporter=spec --test-concurrency=1 static/*.test.js
