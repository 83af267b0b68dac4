# For scripts that need more than Rust. Who reads it says before what needs it, as in `needing="the fuzzer needs it"`.

# Ends with 77, which is neither passed nor failed, and leaves the reason where xtask looks for it.
skip() {
    echo "SKIPPED: $1" >&2
    [ -z "${XTASK_REASON:-}" ] || echo "$1" >"$XTASK_REASON"
    exit 77
}

# Something is missing and cannot be installed from here.
missing() {
    skip "$1 is missing, and $needing: $2"
}

# Packages of the system, where that may be done.
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$@" >/dev/null
}
