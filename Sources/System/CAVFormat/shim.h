#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

/// An output of one's own. Of what is written FFmpeg 7 makes a constant, those before it do not.
static inline AVIOContext *helio_avio_output(
    unsigned char *buffer, int size, void *opaque, int (*write)(void *, const uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, 0, write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, 0, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

// Values that are macros which Swift can't import.

static inline int helio_avio_failed(void) { return AVERROR(EIO); }
