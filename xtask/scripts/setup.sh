#!/bin/sh
# Installs the programs that tests need beside Rust, once, and reports what it installs: `setup.sh browser` or `setup.sh python`.
#
# It ends with 77 if something is missing and cannot be installed. Python packages go into
# target/python-tests, so that nothing outside of the checkout changes; PYTHON names the interpreter.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)

browser() {
    needing="the tests of the page need it"
    page=$root/crates/nimoon-web/tests/browser
    if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null \
        && ! command -v google-chrome >/dev/null; then
        install chromium || missing chromium "run \`apt-get install chromium\`, or set CHROMIUM to its path"
    fi
    if ! command -v npm >/dev/null; then
        install nodejs npm || missing "node with npm" "install version 20 or later"
    fi
    if [ ! -d "$page/node_modules/playwright-core" ] || [ "$page/package-lock.json" -nt "$page/node_modules" ]; then
        echo "setup: npm packages of $page" >&2
        (cd "$page" && npm ci --no-audit --no-fund --silent) || missing playwright-core "npm ci failed in $page"
        touch "$page/node_modules"
    fi
}

python() {
    needing="the tests of the Python package need it"
    python=${PYTHON:-python3}
    wanted=$root/crates/nimoon-py/tests/requirements.txt
    command -v "$python" >/dev/null || missing "Python" "install version 3.10 or later, or set PYTHON to its path"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
        || missing "Python 3.10" "$python is older; set PYTHON to the path of a later one"
    venv=$root/target/python-tests
    version=$("$python" --version)
    if [ "$(cat "$venv/made-for" 2>/dev/null)" = "$version $(cksum <"$wanted")" ]; then
        return
    fi
    echo "setup: a virtual environment for $version in $venv, with the packages of $wanted" >&2
    rm -rf "$venv"
    mkdir -p "$root/target"
    "$python" -m venv "$venv" || missing "the module venv" "install it, as by \`apt-get install python3-venv\`"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted" \
        || missing "the network of pip" "pip could not install $wanted"
    echo "$version $(cksum <"$wanted")" >"$venv/made-for"
}

. "$root/xtask/scripts/needs.sh"
"$1"
