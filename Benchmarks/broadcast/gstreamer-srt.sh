#!/bin/bash
# glass-title: GStreamer: ximagesrc, x264enc ultrafast zerolatency, srtsink, ffplay
# glass-input: no
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { need gst-launch-1.0 ffplay; }
version() { gst-launch-1.0 --version | sed -n 2p; }
host() {
    wait_port udp "$srt_port"
    gstreamer_x11 ! h264parse config-interval=-1 ! mpegtsmux latency=0 alignment=7 \
        ! srtsink uri="srt://127.0.0.1:$srt_port" mode=caller latency="$srt_latency" sync=false async=false
}
ready() { true; }
viewer() { play_srt; }
glass_main "$@"
