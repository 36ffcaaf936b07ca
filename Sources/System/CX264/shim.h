#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <x264.h>

/// x264's own messages are thrown away: its errors come as return values.
static inline void helio_x264_silence(x264_param_t *p) { p->i_log_level = X264_LOG_NONE; }

/// The name is a macro with the build number in it, which Swift does not see.
static inline x264_t *helio_x264_open(x264_param_t *p) { return x264_encoder_open(p); }
