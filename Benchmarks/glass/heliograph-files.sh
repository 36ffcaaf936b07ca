#!/bin/bash
# glass-title: Heliograph beside a transfer: as heliograph, while files go from host to viewer all the time
# glass-fullscreen: own

bin=${HELIOGRAPH_BIN:-$(dirname "$(readlink -f "$0")")/../../.build/release/heliograph}

# Sends one large file after the other, until the harness ends it.
transfer() {
    truncate -s 4G "$GLASS_DIR/file"
    while true; do
        # Until the viewer is there, nobody is.
        "$bin" send "$GLASS_DIR/file" >>"$GLASS_DIR/send.out" 2>&1 || true
        rm -rf "$GLASS_DIR/inbox"
        sleep 0.3
    done
}

case ${1-} in
host)
    # A home of its own, or `send` would not know which end is meant.
    export HELIOGRAPH_HOME=$GLASS_DIR/home
    mkdir -m 700 "$HELIOGRAPH_HOME"
    transfer &
    ;;
viewer) export HELIOGRAPH_VIEW="${HELIOGRAPH_VIEW:-} --files accept --files-folder $GLASS_DIR/inbox" ;;
esac
exec "$(dirname "$0")/heliograph.sh" "$@"
