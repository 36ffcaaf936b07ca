#!/bin/bash
# glass-title: FFmpeg: x11grab, libx264 ultrafast zerolatency, RTMP, nginx, ffplay
# glass-input: no
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { need ffmpeg ffplay && need_nginx; }
version() { ffmpeg -version | head -1; }
host() {
    start_nginx
    ffmpeg_x11 -f flv -flvflags no_duration_filesize -rtmp_live live "rtmp://127.0.0.1:$rtmp_port/live/key"
}
ready() { wait_port tcp "$rtmp_port"; }
viewer() { play_rtmp; }
glass_main "$@"
