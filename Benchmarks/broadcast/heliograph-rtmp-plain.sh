#!/bin/bash
# glass-title: Heliograph: RTMP, nginx, ffplay as it comes
# glass-input: no

# Where a broadcast's delay comes from: the same way, to a player that buffers as it likes.
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { check_heliograph && need_nginx && need ffplay; }
version() { echo "Heliograph $("$bin" --version)"; }
host() { heliograph_rtmp; }
ready() { wait_port tcp "$rtmp_port"; }
viewer() {
    export SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=software
    exec ffplay -hide_banner -loglevel warning -nostats -an -fs "rtmp://127.0.0.1:$rtmp_port/live/key"
}
glass_main "$@"
