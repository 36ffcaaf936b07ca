#!/bin/bash
# glass-title: Heliograph: an encode of its own, RTMP, nginx, ffplay
# glass-input: no

# An adapter for the harness `glass`: ./glass.py compare /path/to/this/*-rtmp.sh --modes typing,scroll,video
# shellcheck disable=SC1091
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check() { check_heliograph && need_nginx && need ffplay; }
version() { echo "Heliograph $("$bin" --version)"; }
host() { heliograph_rtmp; }
ready() { wait_port tcp "$rtmp_port"; }
viewer() { play_rtmp; }
glass_main "$@"
