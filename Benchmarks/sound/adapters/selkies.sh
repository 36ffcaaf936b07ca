#!/bin/bash
# glass-title: Selkies (WebSocket mode, x264, Opus) to Chromium in kiosk mode
# shellcheck disable=SC1091 # of the harness
. "${GLASS_ROOT:?}/adapters/lib.sh"

SELKIES=${SELKIES:-$GLASS_ROOT/.peers/bin/selkies}

check() { need "$SELKIES" chromium; }
version() {
    "$(dirname "$SELKIES")/python" -c 'import importlib.metadata as m; print("selkies", m.version("selkies"))'
    chromium --version
}

host() {
    exec "$SELKIES" --addr 127.0.0.1 --port "$GLASS_PORT" --mode websockets \
        --enable-basic-auth=false --audio-enabled=true --audio-device-name=output.monitor \
        --microphone-enabled=false --gamepad-enabled=false --webcam-enabled=false --enable-resize=false \
        --framerate "$GLASS_FPS" --ui-show-sidebar=false --ui-sidebar-show-video-settings=false \
        --encoder h264enc --rate-control-mode crf --video-crf 23
}
ready() { wait_port tcp "$GLASS_PORT"; }
viewer() {
    exec chromium --no-sandbox --user-data-dir="$GLASS_DIR/profile" --no-first-run \
        --no-default-browser-check --disable-background-networking --disable-sync \
        --disable-component-update --disable-default-apps --password-store=basic \
        --autoplay-policy=no-user-gesture-required --force-device-scale-factor=1 \
        --window-position=0,0 --window-size="$GLASS_W,$GLASS_H" --kiosk \
        "http://127.0.0.1:$GLASS_PORT/"
}
glass_main "$@"
