#!/bin/sh
# Runs cargo-deny for known faults of the dependencies. The tests of xtask check licences, duplicates and sources without it.
#
# Without cargo-deny, or without access to its database, this step is skipped, also in CI: it reports what is known today, and
# does not depend on the change at hand.
set -eu
cd "$(dirname "$0")/../.."
database=https://github.com/rustsec/advisory-db
. xtask/scripts/needs.sh

version=$(cargo deny --version 2>/dev/null) || skip "cargo-deny is missing; \`cargo install --locked cargo-deny\` installs it"
case $version in
"cargo-deny 0."[0-9] | "cargo-deny 0."[0-9].* | "cargo-deny 0.1"[0-5].*) skip "$version cannot read deny.toml; install 0.16 or later" ;;
esac
# These checks need no database.
cargo deny --locked check licenses bans sources
GIT_TERMINAL_PROMPT=0 git ls-remote --quiet "$database" HEAD >/dev/null 2>&1 || skip "cannot reach $database"
cargo deny --locked check advisories
