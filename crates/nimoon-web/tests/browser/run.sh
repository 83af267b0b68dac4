#!/bin/sh
# Runs the tests of the page in a real browser: all of them, the most important ones with `short`, or the named files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)

sh "$root/xtask/scripts/setup.sh" browser
cd "$here"
if [ "${1:-}" = short ]; then
    shift
    set -- types.test.js digraphs-model.test.js page.test.js play.test.js "$@"
fi
if [ -z "${NIMOON:-}" ]; then
    (cd "$root" && cargo build --quiet)
    NIMOON=$root/target/debug/nimoon
    export NIMOON
fi
exec node --test --test-reporter=spec --test-concurrency=1 "$@"
