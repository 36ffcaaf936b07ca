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

# Runs a command for so many seconds at most. One that takes longer is ended, with all that it has started, and 124 is
# what it gives.
within() { # SECONDS COMMAND...
    local limit=$1 job timer ended='' status=0
    shift
    "$@" &
    job=$!
    sleep "$limit" &
    timer=$!
    # Whoever is interrupted here leaves nothing behind either.
    trap 'end_trees "$job" "$timer"; exit 130' INT TERM
    wait -n -p ended "$job" "$timer" || status=$?
    [[ $ended == "$job" ]] || status=124
    trap - INT TERM
    end_trees "$job" "$timer"
    return "$status"
}

# Ends processes and all that they have started: asks first, and 3 seconds later doesn't ask.
end_trees() { # PID...
    local pids _
    mapfile -t pids < <(cat /proc/[0-9]*/status 2>/dev/null | awk -v roots="$*" '
        $1 == "Pid:" { pid = $2 }
        $1 == "PPid:" { children[$2] = children[$2] " " pid }
        END {
            count = split(roots, open, " ")
            for (i = 1; i <= count; i++) {
                print open[i]
                more = split(children[open[i]], next_ones, " ")
                for (j = 1; j <= more; j++) open[++count] = next_ones[j]
            }
        }')
    kill -TERM "${pids[@]}" 2>/dev/null || return 0
    for _ in {1..30}; do
        kill -0 "${pids[@]}" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "${pids[@]}" 2>/dev/null || true
    wait "$@" 2>/dev/null || true
}
