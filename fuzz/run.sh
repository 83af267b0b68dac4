#!/bin/sh
# Fuzzes nimoon: installs a C++ compiler if possible, builds the fuzzer and runs it. `fuzz/README.md` lists the arguments.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

needing="the fuzzer needs it"
. "$root/xtask/scripts/needs.sh"
if ! command -v "${CXX:-c++}" >/dev/null; then
    install g++ || missing "a C++ compiler" "install g++ or clang, or set CXX to its path"
fi

cd "$root"
# Only the crates of nimoon are built again for the fuzzer; their dependencies are those of the tests.
RUSTC_WORKSPACE_WRAPPER=$root/fuzz/instrument cargo build --quiet --package nimoon-fuzz --features libfuzzer --bin fuzzer
exec cargo run --quiet --package nimoon-fuzz -- "$@"
