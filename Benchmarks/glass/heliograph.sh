#!/bin/bash
# glass-title: Heliograph: X11 damage, x264, RTP with SRTP, SDL
# glass-fullscreen: own

# An adapter for the harness `glass`: ./glass.py run /path/to/this/heliograph.sh
# The harness clears the environment, so another program or other options come by way of a script beside this
# one that sets HELIOGRAPH_BIN, HELIOGRAPH_SHARE or HELIOGRAPH_VIEW: see heliograph-444.sh.
# shellcheck disable=SC1091 # of the harness
. "${GLASS_ROOT:?}/adapters/lib.sh"

bin=${HELIOGRAPH_BIN:-$(dirname "$(readlink -f "$0")")/../../.build/release/heliograph}

check() { [ -x "$bin" ] || { echo "no $bin: swift build -c release --product heliograph"; return 1; }; }
version() { echo "Heliograph $("$bin" --version)"; }

host() {
    # shellcheck disable=SC2086 # a list of options
    exec "$bin" share --display "$GLASS_SRC" --address 127.0.0.1 --port "$GLASS_PORT" --fps "$GLASS_FPS" \
        --link-file "$GLASS_DIR/link" ${HELIOGRAPH_SHARE:-}
}

# The link is written when the host listens, whole or not at all.
ready() {
    for _ in $(seq 300); do
        if [ -s "$GLASS_DIR/link" ]; then return 0; fi
        sleep 0.1
    done
    return 1
}

viewer() {
    export SDL_VIDEODRIVER=x11
    # shellcheck disable=SC2086
    exec "$bin" view --link-file "$GLASS_DIR/link" --fullscreen ${HELIOGRAPH_VIEW:-}
}

glass_main "$@"
