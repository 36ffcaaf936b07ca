#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/buffer.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>

// Values of macros that Swift can't import.

/// The result of `avcodec_receive_frame` and `avcodec_receive_packet` if they need more input.
static inline int helio_av_again(void) { return AVERROR(EAGAIN); }
static inline int helio_av_end(void) { return AVERROR_EOF; }
static inline int64_t helio_av_no_pts(void) { return AV_NOPTS_VALUE; }
