// Scales damaged rectangles of BGRX pixels down.
//
// Each output pixel is the mean of the area that it covers; partly covered pixels are weighted by their share. The
// result depends on the position only, so a rectangle scales to the same pixels as the whole picture, and unchanged
// areas stay bit-identical.
//
// libyuv is not used, as its ARGB scaling only averages areas at 1/2 and 1/4, and takes the nearest pixel at 1/3.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// The source pixels and weights of each pixel of a shorter line.
typedef struct {
    /// The first source pixel, for each pixel of the shorter line.
    const uint32_t *first;
    /// The index of the first weight, for each pixel of the shorter line; one more entry marks the end.
    const uint32_t *start;
    /// The weights; those of one pixel add up to 256.
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
        // Scale vertically first. Sums are at most 255 * 256, so they fit 16 bits without rounding.
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

#if defined(__x86_64__)
/// Returns the means of 2x2 pixels, for 8 pixels of two lines: 4 pixels of 16-bit samples.
__attribute__((target("avx2"))) static inline __m256i helio_halve_8(const uint8_t *a, const uint8_t *b) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i above = _mm256_loadu_si256((const __m256i *)a), below = _mm256_loadu_si256((const __m256i *)b);
    const __m256i low = _mm256_add_epi16(_mm256_unpacklo_epi8(above, zero), _mm256_unpacklo_epi8(below, zero));
    const __m256i high = _mm256_add_epi16(_mm256_unpackhi_epi8(above, zero), _mm256_unpackhi_epi8(below, zero));
    const __m256i sum = _mm256_add_epi16(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(2)), 2);
}

/// Computes `w` x `h` pixels of a picture with half the sides, from the pixels at `src`: the same pixels as
/// `helio_scale`, several times faster.
__attribute__((target("avx2"))) static inline void helio_halve_avx2(
    const uint8_t *src, size_t src_stride, uint8_t *dst, size_t dst_stride, size_t w, size_t h) {
    for (size_t j = 0; j < h; j++) {
        const uint8_t *a = src + 2 * j * src_stride, *b = a + src_stride;
        uint8_t *out = dst + j * dst_stride;
        size_t i = 0;
        for (; i + 8 <= w; i += 8) {
            const __m256i first = helio_halve_8(a + i * 8, b + i * 8);
            const __m256i second = helio_halve_8(a + i * 8 + 32, b + i * 8 + 32);
            // Packing works within halves of the register, so the middle quarters are in the wrong order.
            const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);
            _mm256_storeu_si256((__m256i *)(out + i * 4), packed);
        }
        for (; i < w; i++) {
            const uint8_t *p = a + i * 8, *q = b + i * 8;
            for (size_t c = 0; c < 4; c++) out[i * 4 + c] = (uint8_t)((p[c] + p[c + 4] + q[c] + q[c + 4] + 2) >> 2);
        }
    }
}
#endif

/// Computes the rectangle (`x`, `y`, `w`, `h`) of the smaller picture; `is_half` is true if both of its sides are half as
/// long as the larger picture's.
///
/// `src` is the pixel (`src_x`, `src_y`) of the larger picture; all source pixels of the rectangle have to lie to its
/// right and below. `line` needs space for 4 values per pixel of the larger picture's width.
static inline void helio_scale(
    const helio_scale_axis *columns, const helio_scale_axis *rows, int is_half, int use_avx2, const uint8_t *src,
    size_t src_stride, size_t src_x, size_t src_y, uint16_t *line, uint8_t *dst, size_t dst_stride, size_t x, size_t y, size_t w,
    size_t h) {
#if defined(__x86_64__)
    if (use_avx2 && is_half) {
        helio_halve_avx2(src + (2 * y - src_y) * src_stride + (2 * x - src_x) * 4, src_stride, dst, dst_stride, w, h);
        return;
    }
    if (use_avx2) {
        helio_scale_lines_avx2(columns, rows, src, src_stride, src_x, src_y, line, dst, dst_stride, x, y, w, h);
        return;
    }
#endif
    helio_scale_lines(columns, rows, src, src_stride, src_x, src_y, line, dst, dst_stride, x, y, w, h);
}
