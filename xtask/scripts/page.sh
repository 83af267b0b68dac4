#!/bin/sh
# Builds the engine for WebAssembly and packs the page with it: target/page/dist and target/page/nimoon.html.
#
# It uses Rust's target wasm32-unknown-unknown, and adds it with rustup if it is missing. Where that is not possible, it
# downloads Debian's second compiler, unpacks it in target/page, and builds the standard library from its sources, which takes
# some minutes once. COMPILER=rustup or COMPILER=debian allows only one of them. It ends with 77 if neither is possible.
set -eu
cd "$(dirname "$0")/../.."
needing="the page without a server needs it"
. xtask/scripts/needs.sh

target=wasm32-unknown-unknown
out=target/page
mkdir -p "$out"

# Compiles the module with the arguments of cargo that a compiler needs, and copies it to $out.
build() {
    cargo rustc --locked --profile wasm --package nimoon-wasm --lib --crate-type cdylib --target "$target" "$@" \
        -- -C link-arg=-zstack-size=4194304
    cp "${CARGO_TARGET_DIR:-target}/$target/wasm/nimoon_wasm.wasm" "$out/nimoon.wasm"
}

has_target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]
}

find_rustup() {
    has_target || { command -v rustup >/dev/null && rustup target add "$target" >&2 && has_target; }
}

# Downloads the packages of Debian's second compiler, of the version that is newest there, and unpacks them.
unpack_debian() {
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
    # Old lists name packages that are gone, or too old. Only root can update them.
    apt-get update >/dev/null 2>&1 || true
    library=$(apt-cache depends rustc-web libstd-rust-web-dev | sed -n 's/^ *Depends: \(libstd-rust-web-[0-9][0-9.]*\)$/\1/p' | head -n 1)
    llvm=$(apt-cache depends "$library" | sed -n 's/^ *Depends: \(libllvm[0-9]*\)$/\1/p' | head -n 1)
    [ -n "$library" ] && [ -n "$llvm" ] || return 1
    rm -rf "$1" && mkdir -p "$1/root"
    echo "setup: $library of Debian in $1" >&2
    (cd "$1" && apt-get download rustc-web rust-web-src "$library" libstd-rust-web-dev "$llvm" >/dev/null 2>&1) || return 1
    for package in "$1"/*.deb; do
        dpkg-deb -x "$package" "$1/root"
        rm "$package"
    done
    # The compiler's sources, where cargo looks for those of the standard library.
    sources=$(cd "$1"/root/usr/src/rustc-* && pwd)
    mkdir -p "$1/root/usr/lib/rustlib/src"
    ln -sfn "$sources" "$1/root/usr/lib/rustlib/src/rust"
    cat >"$1/rustc" <<'SH'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu) exec "$root/usr/bin/rustc" "$@"
SH
    chmod +x "$1/rustc"
    "$1/rustc" --version >"$1/version"
}

compiler=$PWD/$out/debian
find_debian() {
    [ -s "$compiler/version" ] || unpack_debian "$compiler"
}

build_with_debian() {
    # The linker is that of the installed toolchain.
    host=$(rustc -vV | sed -n 's/^host: //p')
    linker=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
    # A released compiler builds the standard library only with RUSTC_BOOTSTRAP.
    export RUSTC="$compiler/rustc" RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$PWD/$out/build"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker"
    build -Z build-std=std,panic_abort
}

allowed=${COMPILER:-any}
if [ "$allowed" != debian ] && find_rustup; then
    build
elif [ "$allowed" != rustup ] && find_debian; then
    (build_with_debian)
else
    missing "a compiler for $target" "run \`rustup target add $target\`"
fi
cargo run --quiet --package xtask -- pack
