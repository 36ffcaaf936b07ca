#!/bin/bash
# glass-title: Heliograph to Chromium in kiosk mode: X11 damage, x264, WebRTC

# An adapter for the harness `glass`: ./glass.py run /path/to/this/heliograph-web.sh
# HELIOGRAPH_BIN and HELIOGRAPH_SHARE as in heliograph.sh. HELIOGRAPH_PICTURE is what the address asks for: own or video.
# shellcheck disable=SC1091 # of the harness
. "${GLASS_ROOT:?}/adapters/lib.sh"

bin=${HELIOGRAPH_BIN:-$(dirname "$(readlink -f "$0")")/../../.build/release/heliograph}

check() {
    [ -x "$bin" ] || { echo "no $bin: swift build -c release --product heliograph"; return 1; }
    need chromium
}
version() {
    echo "Heliograph $("$bin" --version)"
    chromium --version
}

host() {
    # shellcheck disable=SC2086 # a list of options
    exec "$bin" share --display "$GLASS_SRC" --address 127.0.0.1 --port "$((GLASS_PORT + 1))" --web "$GLASS_PORT" \
        --fps "$GLASS_FPS" --web-link-file "$GLASS_DIR/link" ${HELIOGRAPH_SHARE:-}
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
    # What lets the viewer in is no argument, which all of the machine may read.
    (
        umask 077
        link=$(cat "$GLASS_DIR/link")
        if [ -n "${HELIOGRAPH_PICTURE:-}" ]; then link="${link%%#*}?picture=$HELIOGRAPH_PICTURE#${link#*#}"; fi
        printf '<!doctype html><meta http-equiv="refresh" content="0; url=%s">\n' \
            "$link" >"$GLASS_DIR/open.html"
    )
    # Loopback is all the network that there is: Chromium leaves it out of WebRTC unless told, and it carries no multicast,
    # by which names for addresses are found.
    exec chromium --no-sandbox --user-data-dir="$GLASS_DIR/profile" --no-first-run \
        --no-default-browser-check --disable-background-networking --disable-sync \
        --disable-component-update --disable-default-apps --password-store=basic \
        --autoplay-policy=no-user-gesture-required --force-device-scale-factor=1 \
        --allow-loopback-in-peer-connection --disable-features=WebRtcHideLocalIpsWithMdns \
        --window-position=0,0 --window-size="$GLASS_W,$GLASS_H" --kiosk "file://$GLASS_DIR/open.html"
}

glass_main "$@"
