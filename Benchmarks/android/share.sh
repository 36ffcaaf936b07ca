#!/usr/bin/env bash
# What a host pays for sharing an Android phone to one window, where it only passes pictures on: its share of a core, and
# its growth. The phone is the fake one of script/check-android, at 30 pictures a second.
#
#   share.sh [PROGRAM [SECONDS]]    60 seconds unless told. Ends with status 1 at more than 2 % of a core, HELIO_ANDROID_SHARE
set -euo pipefail

root=$(dirname "$(readlink -f "$0")")/../..
export HELIO_ANDROID_SECONDS=${2:-60} HELIO_ANDROID_SHARE=${HELIO_ANDROID_SHARE:-2}
exec "$root/script/check-android" "${1:-$root/.build/release/heliograph}" 'long run'
