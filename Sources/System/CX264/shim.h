#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <x264.h>

/// Turns off x264's log messages; errors are reported by return values.
static inline void helio_x264_silence(x264_param_t *p) { p->i_log_level = X264_LOG_NONE; }

/// Wraps `x264_encoder_open`, which is a macro that appends the build number, so that Swift can't import it.
static inline x264_t *helio_x264_open(x264_param_t *p) { return x264_encoder_open(p); }
