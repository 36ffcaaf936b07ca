#!/bin/bash
# glass-title: FFmpeg: x11grab, libx264 ultrafast zerolatency, SRT, ffplay
# glass-input: no
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { need ffmpeg ffplay; }
version() { ffmpeg -version | head -1; }
# It connects once: the player has to listen by then.
host() {
    wait_port udp "$srt_port"
    ffmpeg_x11 -f mpegts "srt://127.0.0.1:$srt_port?mode=caller&latency=$((srt_latency * 1000))"
}
ready() { true; }
viewer() { play_srt; }
glass_main "$@"
