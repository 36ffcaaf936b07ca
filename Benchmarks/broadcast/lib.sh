# What the adapters for broadcasts have in common. The harness `glass` runs them: see heliograph-rtmp.sh.
# shellcheck shell=bash disable=SC1091,SC2034 # of the harness; used by who sources this
. "${GLASS_ROOT:?}/adapters/lib.sh"

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
bin=${HELIOGRAPH_BIN:-$here/../../.build/release/heliograph}
# The same for all: what is coded, and how.
rate=6000 # kbit/s
gop=$((${GLASS_FPS:-60} * 2))
rtmp_port=$((${GLASS_PORT:-0} + 1))
srt_port=$((${GLASS_PORT:-0} + 2))
# Of SRT, for all: the least that a sender here takes.
srt_latency=20

# nginx with its RTMP module, as the server between sender and player.
start_nginx() {
    mkdir -p "$GLASS_DIR/nginx"
    cat >"$GLASS_DIR/nginx.conf" <<CONF
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off;
master_process off;
pid $GLASS_DIR/nginx/pid;
error_log stderr warn;
events { worker_connections 64; }
rtmp { server { listen 127.0.0.1:$rtmp_port; chunk_size 4096; application live { live on; ${hls:-} } } }
CONF
    /usr/sbin/nginx -p "$GLASS_DIR/nginx" -c "$GLASS_DIR/nginx.conf" &
    wait_port tcp "$rtmp_port"
}

need_nginx() { [ -e /usr/lib/nginx/modules/ngx_rtmp_module.so ] || { echo "no libnginx-mod-rtmp"; return 1; }; }

# The player is the same for all, and shows each picture as soon as it has it: setpts=0.
play() {
    export SDL_VIDEODRIVER=x11 SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=software
    exec ffplay -hide_banner -loglevel warning -nostats -fflags nobuffer -flags low_delay -probesize 32 \
        -analyzeduration 0 -framedrop -sync ext -an -vf setpts=0 -fs "$@"
}
play_rtmp() { play -rtmp_live live -rtmp_buffer 0 "rtmp://127.0.0.1:$rtmp_port/live/key"; }
# A transport stream tells of its codec later than FLV.
play_srt() { play -probesize 100000 "srt://127.0.0.1:$srt_port?mode=listener&latency=$((srt_latency * 1000))"; }

ffmpeg_x11() {
    exec ffmpeg -hide_banner -loglevel warning -nostats -f x11grab -framerate "$GLASS_FPS" \
        -video_size "${GLASS_W}x$GLASS_H" -i "$GLASS_SRC" -fps_mode passthrough \
        -vf scale=threads=2:flags=bilinear:out_color_matrix=bt709,format=yuv420p \
        -color_range tv -colorspace bt709 -c:v libx264 -preset ultrafast -tune zerolatency \
        -b:v "${rate}k" -maxrate "${rate}k" -bufsize "$((rate / 10))k" -g "$gop" -flush_packets 1 "$@"
}

gstreamer_x11() {
    exec gst-launch-1.0 -q ximagesrc display-name="$GLASS_SRC" use-damage=false show-pointer=true \
        ! "video/x-raw,framerate=$GLASS_FPS/1" ! videoconvert n-threads=2 ! video/x-raw,format=I420 \
        ! x264enc tune=zerolatency speed-preset=ultrafast bitrate="$rate" vbv-buf-capacity=100 key-int-max="$gop" \
        ! video/x-h264,profile=constrained-baseline "$@"
}

heliograph_x11() { # URL
    exec "$bin" share --display "$GLASS_SRC" --address 127.0.0.1 --port "$GLASS_PORT" --no-discovery --sound off \
        --broadcast "$1" --broadcast-size "${GLASS_W}x$GLASS_H" --broadcast-fps "$GLASS_FPS" \
        --broadcast-bitrate "${rate}k"
}

heliograph_rtmp() {
    start_nginx
    export HELIOGRAPH_BROADCAST_KEYS=key
    heliograph_x11 "rtmp://127.0.0.1:$rtmp_port/live"
}

check_heliograph() { [ -x "$bin" ] || { echo "no $bin: swift build -c release --product heliograph"; return 1; }; }
