#!/bin/sh
# Asks cargo-deny for known faults of the dependencies. The tests of xtask check licences, duplicates and sources by themselves, without it.
#
# Where there is no cargo-deny, or no way to its database, this is skipped, also where changes are judged: it tells what
# the world knows today, and nothing about the change at hand.
set -eu
cd "$(dirname "$0")/../.."
database=https://github.com/rustsec/advisory-db
. xtask/scripts/needs.sh

version=$(cargo deny --version 2>/dev/null) || skip "there is no cargo-deny; \`cargo install --locked cargo-deny\` brings it"
case $version in
"cargo-deny 0."[0-9] | "cargo-deny 0."[0-9].* | "cargo-deny 0.1"[0-5].*) skip "$version cannot read deny.toml; it takes 0.16 or later" ;;
esac
# What needs no database is checked in any case.
cargo deny --locked check licenses bans sources
GIT_TERMINAL_PROMPT=0 git ls-remote --quiet "$database" HEAD >/dev/null 2>&1 || skip "$database cannot be reached from here"
cargo deny --locked check advisories
