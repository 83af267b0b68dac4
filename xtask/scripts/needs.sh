# For scripts that need more than Rust. A script sets `needing` before it reads this file, as in `needing="the fuzzer needs it"`.

# Ends with 77, which means neither passed nor failed, and writes the reason for xtask.
skip() {
    echo "SKIPPED: $1" >&2
    [ -z "${XTASK_REASON:-}" ] || echo "$1" >"$XTASK_REASON"
    exit 77
}

# Something is missing and cannot be installed from here.
missing() {
    skip "$1 is missing, and $needing: $2"
}

# Installs packages of the system, if permitted.
install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    echo "setup: apt-get install $*" >&2
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
    apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends "$@" >/dev/null
}
