#!/bin/bash
# glass-title: xpra shadow to xpra attach, with its sound
# shellcheck disable=SC1091 # of the harness
. "${GLASS_ROOT:?}/adapters/lib.sh"

check() { need xpra; }
version() { xpra --version; }

# It starts the Python of the system by name.
export PATH=/usr/bin:/bin
export XPRA_SHADOW_REFRESH_DELAY=16 XPRA_BATCH_START_DELAY=10 XPRA_BATCH_EXPIRE_DELAY=10
export XPRA_BATCH_MAX_DELAY=16
export XPRA_SYSTEM_CONF_DIRS=${GLASS_DIR:-}

COMMON=(--mmap=no --speaker=on --speaker-codec=opus --microphone=off --webcam=no --printing=no --clipboard=no
    --notifications=no --video-encoders=x264 --video-decoders=avcodec2 --csc-modules=swscale
    --av-sync=no --bandwidth-detection=no --speed=100 --quality=50)

host() {
    exec xpra shadow "$GLASS_SRC" --bind-tcp="127.0.0.1:$GLASS_PORT" --tcp-auth=none --daemon=no \
        --socket-dir="$GLASS_DIR" --mdns=no --html=off --pulseaudio=no --dbus-proxy=no \
        --dbus-launch=no --systemd-run=no --sound-source=pulse "${COMMON[@]}"
}
ready() { wait_port tcp "$GLASS_PORT"; }
viewer() {
    exec xpra attach "tcp://127.0.0.1:$GLASS_PORT/" --opengl=no --tray=no --desktop-scaling=no "${COMMON[@]}"
}
glass_main "$@"
