#!/bin/bash
# glass-title: GStreamer: ximagesrc and x264enc, pulsesrc and opusenc, RTP, ximagesink and pulsesink
# glass-input: no
# shellcheck disable=SC1091 # of the harness
. "${GLASS_ROOT:?}/adapters/lib.sh"

check() {
    local e
    need gst-launch-1.0 gst-inspect-1.0
    for e in ximagesrc x264enc avdec_h264 pulsesrc opusenc rtpopuspay rtpopusdepay opusdec pulsesink; do
        gst-inspect-1.0 --exists "$e" || { echo "no GStreamer element $e"; return 1; }
    done
}
version() { gst-launch-1.0 --version | sed -n 2p; }

# Picture and sound in a process each: in one, each would wait for the other's latency. As short buffers and packets as
# each element takes.
host() {
    gst-launch-1.0 -q pulsesrc device=output.monitor buffer-time=20000 latency-time=5000 ! audioconvert \
        ! audioresample ! opusenc frame-size=5 bitrate=128000 inband-fec=true packet-loss-percentage=5 ! rtpopuspay \
        ! udpsink host=127.0.0.1 port="$((GLASS_PORT + 2))" sync=false async=false &
    exec gst-launch-1.0 -q ximagesrc display-name="$GLASS_SRC" use-damage=false show-pointer=true \
        ! "video/x-raw,framerate=$GLASS_FPS/1" ! videoconvert n-threads=2 ! video/x-raw,format=I420 \
        ! x264enc tune=zerolatency speed-preset=ultrafast pass=qual quantizer=23 \
            bitrate=40000 vbv-buf-capacity=100 key-int-max=120 \
        ! video/x-h264,profile=constrained-baseline \
        ! rtph264pay aggregate-mode=zero-latency config-interval=-1 mtu=1400 \
        ! udpsink host=127.0.0.1 port="$GLASS_PORT" sync=false async=false buffer-size=8000000
}
viewer() {
    gst-launch-1.0 -q udpsrc address=127.0.0.1 port="$((GLASS_PORT + 2))" \
        caps="application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=96" \
        ! rtpjitterbuffer latency=20 do-lost=true ! rtpopusdepay \
        ! opusdec plc=true use-inband-fec=true ! audioconvert ! audioresample \
        ! pulsesink device=output buffer-time=20000 latency-time=5000 &
    exec gst-launch-1.0 -q udpsrc address=127.0.0.1 port="$GLASS_PORT" buffer-size=8000000 \
        caps="application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96" \
        ! rtpjitterbuffer latency=0 ! rtph264depay ! avdec_h264 thread-type=slice \
        ! videoconvert n-threads=2 ! ximagesink sync=false
}
glass_main "$@"
