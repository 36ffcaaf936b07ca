#pragma once

#include <libyuv.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Converts damaged rectangles from Y'CbCr to BGRX.
//
// libyuv's own conversions are not used, as its x86 code has coefficients of 7 bits and at most 2.0. Limited-range
// BT.709 needs 2.11 for blue, so libyuv's result is wrong by up to 15 levels. These functions are within 0.6 levels of
// the definition, for any matrix.
//
// All code paths round in the same way, so a rectangle converts to the same pixels as the whole picture.

/// The coefficients of a matrix and range, times 2^13, and the offset to subtract from luma.
typedef struct {
    int16_t luma, red_cr, green_cb, green_cr, blue_cb;
    int16_t luma_offset;
} helio_rgb_matrix;

/// The sample planes of a picture.
typedef struct {
    const uint8_t *y, *cb, *cr;
    size_t y_stride, c_stride;
} helio_rgb_source;

/// Computes (a * b + 2^14) >> 15, the same as the vector instruction.
static inline int helio_rgb_mul(int a, int b) { return (a * b + (1 << 14)) >> 15; }

static inline uint8_t helio_rgb_clamp(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

/// Converts columns `x0` up to `x1` of one row. `c_shift`: 1 if two pixels share a chroma sample; `c_step`: the
/// distance of chroma samples in bytes.
static inline void helio_rgb_row_scalar(
    const helio_rgb_matrix *m, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int c_shift, size_t c_step,
    uint8_t *out, size_t x0, size_t x1) {
    for (size_t x = x0; x < x1; x++) {
        int l = helio_rgb_mul((y[x] - m->luma_offset) * 128, m->luma);
        int u = (cb[(x >> c_shift) * c_step] - 128) * 128, v = (cr[(x >> c_shift) * c_step] - 128) * 128;
        out[x * 4] = helio_rgb_clamp((l + helio_rgb_mul(u, m->blue_cb) + 16) >> 5);
        out[x * 4 + 1] = helio_rgb_clamp(
            (l + helio_rgb_mul(u, m->green_cb) + helio_rgb_mul(v, m->green_cr) + 16) >> 5);
        out[x * 4 + 2] = helio_rgb_clamp((l + helio_rgb_mul(v, m->red_cr) + 16) >> 5);
        out[x * 4 + 3] = 255;
    }
}

#if defined(__x86_64__)
#define HELIO_RGB_AVX2 __attribute__((target("avx2"))) static inline

/// The contribution of chroma to 16 pixels, in units of 1/32.
typedef struct { __m256i red, green, blue; } helio_rgb_chroma;

/// Computes the contribution of 16 chroma samples, one per pixel.
HELIO_RGB_AVX2 helio_rgb_chroma helio_rgb_chroma16(const helio_rgb_matrix *m, __m128i cb, __m128i cr) {
    const __m256i middle = _mm256_set1_epi16(128);
    __m256i u = _mm256_slli_epi16(_mm256_sub_epi16(_mm256_cvtepu8_epi16(cb), middle), 7);
    __m256i v = _mm256_slli_epi16(_mm256_sub_epi16(_mm256_cvtepu8_epi16(cr), middle), 7);
    helio_rgb_chroma r = {
        _mm256_mulhrs_epi16(v, _mm256_set1_epi16(m->red_cr)),
        _mm256_add_epi16(
            _mm256_mulhrs_epi16(u, _mm256_set1_epi16(m->green_cb)),
            _mm256_mulhrs_epi16(v, _mm256_set1_epi16(m->green_cr))),
        _mm256_mulhrs_epi16(u, _mm256_set1_epi16(m->blue_cb)),
    };
    return r;
}

HELIO_RGB_AVX2 void helio_rgb_put16(
    const helio_rgb_matrix *m, const uint8_t *y, helio_rgb_chroma c, uint8_t *out) {
    __m256i l = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)y));
    l = _mm256_slli_epi16(_mm256_sub_epi16(l, _mm256_set1_epi16(m->luma_offset)), 7);
    // Add the rounding term of the shift by 5 here, once for all three components.
    l = _mm256_add_epi16(_mm256_mulhrs_epi16(l, _mm256_set1_epi16(m->luma)), _mm256_set1_epi16(16));
    __m256i b = _mm256_srai_epi16(_mm256_add_epi16(l, c.blue), 5);
    __m256i g = _mm256_srai_epi16(_mm256_add_epi16(l, c.green), 5);
    __m256i r = _mm256_srai_epi16(_mm256_add_epi16(l, c.red), 5);
    __m256i br = _mm256_packus_epi16(b, r), ga = _mm256_packus_epi16(g, _mm256_set1_epi16(255));
    __m256i bg = _mm256_unpacklo_epi8(br, ga), ra = _mm256_unpackhi_epi8(br, ga);
    __m256i low = _mm256_unpacklo_epi16(bg, ra), high = _mm256_unpackhi_epi16(bg, ra);
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)(out + 32), _mm256_permute2x128_si256(low, high, 0x31));
}

/// Converts two rows that share their chroma samples (4:2:0). `width` is a multiple of 16; `step` is `c_step` of
/// `helio_rgb_convert`.
HELIO_RGB_AVX2 void helio_rgb_420_avx2(
    const helio_rgb_matrix *m, const uint8_t *y0, const uint8_t *y1, const uint8_t *cb, const uint8_t *cr, size_t step,
    uint8_t *out0, uint8_t *out1, size_t width) {
    const __m128i evens = _mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const __m128i odds = _mm_setr_epi8(1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    for (size_t x = 0; x < width; x += 16) {
        __m128i u, v;
        if (step == 2) {
            __m128i both = _mm_loadu_si128((const __m128i *)(cb + x));
            u = _mm_shuffle_epi8(both, evens);
            v = _mm_shuffle_epi8(both, odds);
        } else {
            u = _mm_loadl_epi64((const __m128i *)(cb + x / 2));
            v = _mm_loadl_epi64((const __m128i *)(cr + x / 2));
            u = _mm_unpacklo_epi8(u, u);
            v = _mm_unpacklo_epi8(v, v);
        }
        helio_rgb_chroma c = helio_rgb_chroma16(m, u, v);
        helio_rgb_put16(m, y0 + x, c, out0 + x * 4);
        helio_rgb_put16(m, y1 + x, c, out1 + x * 4);
    }
}

HELIO_RGB_AVX2 void helio_rgb_444_avx2(
    const helio_rgb_matrix *m, const uint8_t *y, const uint8_t *cb, const uint8_t *cr, uint8_t *out, size_t width) {
    for (size_t x = 0; x < width; x += 16) {
        __m128i u = _mm_loadu_si128((const __m128i *)(cb + x));
        __m128i v = _mm_loadu_si128((const __m128i *)(cr + x));
        helio_rgb_put16(m, y + x, helio_rgb_chroma16(m, u, v), out + x * 4);
    }
}
#endif

/// Returns 1 if this machine supports the AVX2 code path.
static inline int helio_rgb_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

/// Converts `width` x `height` pixels. In 4:2:0, the source has to begin at an even column and row.
///
/// `c_shift`: 1 for 4:2:0, 0 for 4:4:4. `c_step`: the distance of chroma samples in bytes, 2 if Cb and Cr are
/// interleaved.
static inline void helio_rgb_convert(
    const helio_rgb_matrix *m, int use_avx2, const helio_rgb_source *s, int c_shift, size_t c_step, uint8_t *out,
    size_t out_stride, size_t width, size_t height) {
    size_t wide = use_avx2 ? width & ~(size_t)15 : 0;
    size_t rows = c_shift ? 2 : 1;
    for (size_t j = 0; j < height; j += rows) {
        size_t last = j + rows <= height ? rows - 1 : 0;
        const uint8_t *y0 = s->y + j * s->y_stride, *y1 = y0 + last * s->y_stride;
        const uint8_t *cb = s->cb + (j >> c_shift) * s->c_stride, *cr = s->cr + (j >> c_shift) * s->c_stride;
        uint8_t *out0 = out + j * out_stride, *out1 = out0 + last * out_stride;
#if defined(__x86_64__)
        if (wide) {
            if (c_shift) helio_rgb_420_avx2(m, y0, y1, cb, cr, c_step, out0, out1, wide);
            else helio_rgb_444_avx2(m, y0, cb, cr, out0, wide);
        }
#endif
        if (wide < width) {
            helio_rgb_row_scalar(m, y0, cb, cr, c_shift, c_step, out0, wide, width);
            if (last) helio_rgb_row_scalar(m, y1, cb, cr, c_shift, c_step, out1, wide, width);
        }
    }
}
