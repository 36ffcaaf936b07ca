#!/bin/bash
# glass-title: Heliograph in 4:4:4: as heliograph, a colour sample for every pixel
# glass-fullscreen: own

export HELIOGRAPH_SHARE="${HELIOGRAPH_SHARE:-} --chroma 444"
exec "$(dirname "$0")/heliograph.sh" "$@"
