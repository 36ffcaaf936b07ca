# shellcheck shell=bash
# What the scripts share. Sourced, not run.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # used by those who source this
ROOT=$(dirname "$HERE")

# The toolchain that the manifest and the language mode are made for; newer ones are fine.
SWIFT_LEAST=6.3

say() { printf '%s\n' "$*" >&2; }
fail() {
    say "${0##*/}: $*"
    exit 1
}

# Fails, naming every program of the list that is missing.
need() {
    local missing=() program
    for program in "$@"; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    ((${#missing[@]} == 0)) || fail "missing: ${missing[*]}. Run script/install-packages."
}

need_swift() {
    command -v swift >/dev/null ||
        fail "no Swift here. Install Swift $SWIFT_LEAST or newer from https://www.swift.org/install, then try again."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
    [[ $(printf '%s\n' "$SWIFT_LEAST" "$version" | sort -V | head -n 1) == "$SWIFT_LEAST" ]] ||
        fail "Swift ${version:-of an unknown version} is too old: Heliograph needs $SWIFT_LEAST or newer."
}

# Prints the comment at the top of the calling script, without its shebang: its help.
help_text() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' "$0"; }
