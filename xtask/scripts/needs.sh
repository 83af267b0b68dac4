# For scripts that need more than Rust. Who reads it says before what needs it, as in `needing="the fuzzer needs it"`.

# Ends with 77 where something is missing and cannot be installed from here.
missing() {
    echo "$1 is missing, and $needing: $2" >&2
    exit 77
}

# Packages of the system, where that may be done.
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$@" >/dev/null
}
