#!/bin/sh
# Fuzzes nimoon: gets a C++ compiler where that is possible, builds the fuzzer and runs it. `fuzz/README.md` lists the arguments.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# Ends with 77 where something is missing and cannot be installed from here.
missing() {
    echo "$1 is missing, and the fuzzer needs it: $2" >&2
    exit 77
}
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$@" >/dev/null
}
if ! command -v "${CXX:-c++}" >/dev/null; then
    install g++ || missing "a C++ compiler" "install g++ or clang, or tell where it is by CXX"
fi

cd "$root"
# Only the crates of nimoon are built anew for the fuzzer; their dependencies are those of the tests.
RUSTC_WORKSPACE_WRAPPER=$root/fuzz/instrument cargo build --quiet --package nimoon-fuzz --features libfuzzer --bin fuzzer
exec cargo run --quiet --package nimoon-fuzz -- "$@"
