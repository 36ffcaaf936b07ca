// BGRX to fewer pixels, for damaged rectangles.
//
// Each pixel is the mean of the area that it covers, edges by their share. It depends on its place alone, so a part
// comes out as it does in the whole: what did not change stays the same to the bit.
//
// Why not libyuv: its ARGB scaling averages areas only at 1/2 and 1/4, and takes the nearest pixel at 1/3.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Which pixels of a line make the pixels of a shorter one.
typedef struct {
    /// The first that counts, for each of the shorter line.
    const uint32_t *first;
    /// Where its weights begin, for each; one more entry tells the end.
    const uint32_t *start;
    /// Those of one pixel make 256 together.
    const uint16_t *weights;
} helio_scale_axis;

typedef uint16_t helio_scale_4x16 __attribute__((vector_size(8)));
typedef uint32_t helio_scale_4x32 __attribute__((vector_size(16)));
typedef uint8_t helio_scale_4x8 __attribute__((vector_size(4)));

static inline __attribute__((always_inline)) void helio_scale_lines(
    const helio_scale_axis *columns, const helio_scale_axis *rows, const uint8_t *restrict src, size_t src_stride,
    size_t src_x, size_t src_y, uint16_t *restrict line, uint8_t *restrict dst, size_t dst_stride, size_t x, size_t y,
    size_t w, size_t h) {
    const size_t last = x + w - 1;
    const size_t left = columns->first[x];
    const size_t width = columns->first[last] + columns->start[last + 1] - columns->start[last] - left;
    for (size_t j = 0; j < h; j++) {
        // Down first: up to 255 * 256, so nothing is rounded away.
        const uint16_t *weights = rows->weights + rows->start[y + j];
        const size_t taps = rows->start[y + j + 1] - rows->start[y + j];
        const uint8_t *s = src + (rows->first[y + j] - src_y) * src_stride + (left - src_x) * 4;
        for (size_t i = 0; i < width * 4; i++) line[i] = (uint16_t)(s[i] * weights[0]);
        for (size_t k = 1; k < taps; k++) {
            const uint8_t *p = s + k * src_stride;
            const uint16_t weight = weights[k];
            for (size_t i = 0; i < width * 4; i++) line[i] = (uint16_t)(line[i] + p[i] * weight);
        }
        uint8_t *out = dst + j * dst_stride;
        for (size_t i = 0; i < w; i++) {
            const uint16_t *p = line + (columns->first[x + i] - left) * 4;
            const uint32_t end = columns->start[x + i + 1];
            helio_scale_4x32 sum = {1 << 15, 1 << 15, 1 << 15, 1 << 15};
            for (uint32_t k = columns->start[x + i]; k < end; k++, p += 4) {
                helio_scale_4x16 v;
                memcpy(&v, p, sizeof v);
                sum += __builtin_convertvector(v, helio_scale_4x32) * (uint32_t)columns->weights[k];
            }
            const helio_scale_4x8 pixel = __builtin_convertvector(sum >> 16, helio_scale_4x8);
            memcpy(out + i * 4, &pixel, sizeof pixel);
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline void helio_scale_lines_avx2(
    const helio_scale_axis *columns, const helio_scale_axis *rows, const uint8_t *src, size_t src_stride, size_t src_x,
    size_t src_y, uint16_t *line, uint8_t *dst, size_t dst_stride, size_t x, size_t y, size_t w, size_t h) {
    helio_scale_lines(columns, rows, src, src_stride, src_x, src_y, line, dst, dst_stride, x, y, w, h);
}
#endif

/// Makes the rectangle (`x`, `y`, `w`, `h`) of the smaller picture.
///
/// `src` is the pixel (`src_x`, `src_y`) of the larger one; all that the rectangle depends on lies right of and below
/// it. `line` has room for 4 values a pixel of the larger one's width.
static inline void helio_scale(
    const helio_scale_axis *columns, const helio_scale_axis *rows, int use_avx2, const uint8_t *src, size_t src_stride,
    size_t src_x, size_t src_y, uint16_t *line, uint8_t *dst, size_t dst_stride, size_t x, size_t y, size_t w,
    size_t h) {
#if defined(__x86_64__)
    if (use_avx2) {
        helio_scale_lines_avx2(columns, rows, src, src_stride, src_x, src_y, line, dst, dst_stride, x, y, w, h);
        return;
    }
#endif
    helio_scale_lines(columns, rows, src, src_stride, src_x, src_y, line, dst, dst_stride, x, y, w, h);
}
