#!/bin/sh
# The parts of `cargo xtask release` beside cargo: `check` before anything is built, and `collect` at the end.
#
# Nothing is published, and the network is only used for registries.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
target=${CARGO_TARGET_DIR:-target}
dist=$target/bundle
python=${PYTHON:-python3}

fail() {
    echo "error: $1" >&2
    exit 1
}

check() {
    # Remove files of earlier runs, which would become a part of this release.
    rm -rf "$target/doc" "$target/package"
    if [ "${1:-}" = rehearse ]; then
        echo "A rehearsal: uncommitted changes, and a version without an entry in CHANGELOG.md, are ignored." >&2
        return
    fi
    [ -z "$(git status --porcelain)" ] || fail "there are uncommitted changes; commit them, since a release is made from a commit"
    grep -q "^## $version\( \|\$\)" CHANGELOG.md || fail "CHANGELOG.md has no section \`## $version\`"
}

wheel() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$python" -m venv "$work/venv" || fail "$python has no module venv, with which the wheel is built"
    "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.9.4,<2' \
        || fail "pip cannot install maturin, with which the wheel is built"
    out=$(cd "$dist" && pwd)
    (cd crates/nimoon-py && "$work/venv/bin/maturin" build --quiet --profile dist --locked --interpreter "$work/venv/bin/python" --out "$out")
    # Check that it can be loaded, and answers.
    "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$out"/*.whl
    answer=$("$work/venv/bin/python" -c "import nimoon; print(nimoon.value('nim:3 + nim:5').value)")
    [ "$answer" = 6 ] || fail "the wheel says that nim:3 + nim:5 is $answer"
}

collect() {
    rm -rf "$dist"
    mkdir -p "$dist"
    platform=$(rustc -vV | sed -n 's/^host: //p')
    name=nimoon-$version-$platform
    mkdir "$dist/$name"
    cp "$target/dist/nimoon" LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md "$dist/$name"
    "$dist/$name/nimoon" --version | grep -qF "$version" || fail "the program is not of version $version"
    tar -C "$dist" -czf "$dist/$name.tar.gz" "$name"
    rm -r "${dist:?}/$name"
    tar -C "$target" --transform "s,^doc,nimoon-$version-doc," -czf "$dist/nimoon-$version-doc.tar.gz" doc
    cp "$target/package"/*.crate "$dist"
    wheel
    (cd "$dist" && sha256sum -- * >SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
    echo "$dist:" >&2
    cat "$dist/SHA256SUMS" >&2
}

case ${1:-} in
check) check "${2:-}" ;;
collect) collect ;;
*) fail "release.sh check [rehearse], or release.sh collect" ;;
esac
