#!/bin/bash
# glass-title: Heliograph: an encode of its own, SRT, ffplay
# glass-input: no
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { check_heliograph && need ffplay; }
version() { echo "Heliograph $("$bin" --version)"; }
host() { heliograph_x11 "srt://127.0.0.1:$srt_port?latency=$srt_latency&conntimeo=500"; }
ready() { wait_port tcp "$GLASS_PORT"; }
viewer() { play_srt; }
glass_main "$@"
