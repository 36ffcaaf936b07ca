#!/bin/bash
# glass-title: Heliograph: RTMP, nginx, HLS in segments of 2 s, ffplay as it comes
# glass-input: no

# Where a broadcast's delay comes from: what most sites make of it, HLS.
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"
hls="hls on; hls_path ${GLASS_DIR:-}/hls; hls_fragment 2s; hls_playlist_length 12s;"

check() { check_heliograph && need_nginx && need ffplay; }
version() { echo "Heliograph $("$bin" --version)"; }
host() {
    mkdir -p "$GLASS_DIR/hls"
    heliograph_rtmp
}
# Some segments have to be there.
ready() {
    for _ in $(seq 300); do
        if [ -e "$GLASS_DIR/hls/key-3.ts" ]; then return 0; fi
        sleep 0.1
    done
    return 1
}
viewer() {
    export SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=software
    exec ffplay -hide_banner -loglevel warning -nostats -an -fs "$GLASS_DIR/hls/key.m3u8"
}
glass_main "$@"
