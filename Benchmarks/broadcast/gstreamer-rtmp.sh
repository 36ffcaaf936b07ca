#!/bin/bash
# glass-title: GStreamer: ximagesrc, x264enc ultrafast zerolatency, rtmp2sink, nginx, ffplay
# glass-input: no
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { need gst-launch-1.0 ffplay && need_nginx; }
version() { gst-launch-1.0 --version | sed -n 2p; }
host() {
    start_nginx
    gstreamer_x11 ! h264parse ! flvmux streamable=true latency=0 \
        ! rtmp2sink location="rtmp://127.0.0.1:$rtmp_port/live/key" sync=false async=false
}
ready() { wait_port tcp "$rtmp_port"; }
viewer() { play_rtmp; }
glass_main "$@"
