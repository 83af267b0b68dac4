#!/bin/sh
# Checks the spelling of texts and code with typos (https://github.com/crate-ci/typos); `typos.toml` has the words of nimoon.
#
# Uses the program on the PATH, or installs one wheel into target/typos. Skips if neither is possible: the check needs the
# network once, and says nothing about a change that the wording tests of xtask do not cover without it.
set -eu
cd "$(dirname "$0")/../.."
. xtask/scripts/needs.sh

version=1.51.1
venv=target/typos
if command -v typos >/dev/null; then
    typos=typos
else
    typos=$venv/bin/typos
    if [ "$("$typos" --version 2>/dev/null || true)" != "typos-cli $version" ]; then
        python=${PYTHON:-python3}
        command -v "$python" >/dev/null || skip "typos and Python are missing; \`cargo install typos-cli\` installs typos"
        echo "setup: typos $version in $venv" >&2
        rm -rf "$venv"
        mkdir -p target
        { "$python" -m venv "$venv" && "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "typos==$version"; } \
            >/dev/null 2>&1 || skip "pip could not install typos; \`cargo install typos-cli\` installs it too"
    fi
fi
exec "$typos" --format brief
