#!/bin/sh
# Checks everything with the oldest Rust that Cargo.toml promises.
set -eu
cd "$(dirname "$0")/../.."
oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
case $oldest in
*.*.*) toolchain=$oldest ;;
*.*) toolchain=$oldest.0 ;;
*) echo "error: Cargo.toml has no rust-version" >&2 && exit 1 ;;
esac

if [ "$(rustc --version | cut -d ' ' -f 2)" = "$toolchain" ]; then
    echo "the current Rust is $toolchain, the oldest one: the other steps check it" >&2
    exit 0
fi
needing="the check of the oldest version needs it"
. xtask/scripts/needs.sh
command -v rustup >/dev/null || missing "Rust $toolchain" "there is no rustup"
rustup run "$toolchain" rustc --version >/dev/null 2>&1 \
    || rustup toolchain install "$toolchain" --profile minimal \
    || missing "Rust $toolchain" "rustup toolchain install $toolchain"
# Cargo sets these for its child processes, and they would select the current version.
unset CARGO RUSTC RUSTUP_TOOLCHAIN
exec rustup run "$toolchain" cargo check --workspace --all-targets --locked --target-dir "${CARGO_TARGET_DIR:-target}/oldest"
