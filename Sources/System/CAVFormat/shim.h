#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

/// Makes an AVIOContext with custom write and seek callbacks. Since FFmpeg 7 the write callback's buffer is const.
static inline AVIOContext *helio_avio_output(
    unsigned char *buffer, int size, void *opaque, int (*write)(void *, const uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, 0, write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, 0, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

// Values of macros that Swift can't import.

static inline int helio_avio_failed(void) { return AVERROR(EIO); }
