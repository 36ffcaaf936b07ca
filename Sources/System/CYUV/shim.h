// Converts damaged rectangles from BGRX to Y'CbCr.
//
// libyuv is not used, as its ARGB conversions support BT.601 only, with coefficients of 7 or 8 bits. These functions
// have coefficients of 15 bits for any matrix and range, and detect which macroblocks have changed.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// The coefficients for blue, green and red, times 2^15. Offsets are in 8-bit units.
typedef struct {
    int16_t y_b, y_g, y_r;
    int16_t u_b, u_g, u_r;
    int16_t v_b, v_g, v_r;
    int16_t y_offset;
} helio_yuv_matrix;

/// The target picture of a rectangle, whose `x`, `y`, `width` and `height` in pixels have to be even.
///
/// The field `cb` contains interleaved Cb and Cr in 4:2:0 (NV12), each the mean of 2x2 pixels (centre siting). The
/// fields `cb` and `cr` are separate planes in 4:4:4.
typedef struct {
    uint8_t *y, *cb, *cr;
    size_t y_stride, c_stride;
    /// A byte per macroblock, which is set to 0 if a sample has changed, and not written otherwise.
    uint8_t *unchanged;
    size_t mb_stride;
} helio_yuv_target;

static inline uint8_t helio_yuv_clamp(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

static inline uint8_t helio_yuv_luma(const helio_yuv_matrix *m, const uint8_t *p) {
    return helio_yuv_clamp((m->y_b * p[0] + m->y_g * p[1] + m->y_r * p[2] + (m->y_offset << 15) + (1 << 14)) >> 15);
}

/// Computes a chroma sample from the sums of 1 << (bits - 15) pixels.
static inline uint8_t helio_yuv_chroma(int cb, int cg, int cr, int b, int g, int r, int bits) {
    return helio_yuv_clamp((cb * b + cg * g + cr * r + (128 << bits) + (1 << (bits - 1))) >> bits);
}

static inline void helio_yuv_put(uint8_t *at, uint8_t v, uint8_t *unchanged) {
    if (*at != v) {
        *at = v;
        *unchanged = 0;
    }
}

/// Converts two rows to 4:2:0, columns `x0` up to `x1`, both even and relative to the source.
static inline void helio_yuv_420_scalar(
    const helio_yuv_matrix *m, const uint8_t *s0, const uint8_t *s1, uint8_t *y0, uint8_t *y1, uint8_t *c,
    uint8_t *unchanged, size_t mb_x0, size_t x0, size_t x1) {
    for (size_t x = x0; x < x1; x += 2) {
        const uint8_t *a = s0 + x * 4, *b = s1 + x * 4;
        uint8_t *u = unchanged + ((mb_x0 + x) >> 4);
        helio_yuv_put(y0 + x, helio_yuv_luma(m, a), u);
        helio_yuv_put(y0 + x + 1, helio_yuv_luma(m, a + 4), u);
        helio_yuv_put(y1 + x, helio_yuv_luma(m, b), u);
        helio_yuv_put(y1 + x + 1, helio_yuv_luma(m, b + 4), u);
        int sb = a[0] + a[4] + b[0] + b[4], sg = a[1] + a[5] + b[1] + b[5], sr = a[2] + a[6] + b[2] + b[6];
        helio_yuv_put(c + x, helio_yuv_chroma(m->u_b, m->u_g, m->u_r, sb, sg, sr, 17), u);
        helio_yuv_put(c + x + 1, helio_yuv_chroma(m->v_b, m->v_g, m->v_r, sb, sg, sr, 17), u);
    }
}

/// Converts one row to 4:4:4, columns `x0` up to `x1`.
static inline void helio_yuv_444_scalar(
    const helio_yuv_matrix *m, const uint8_t *s, uint8_t *y, uint8_t *cb, uint8_t *cr, uint8_t *unchanged,
    size_t mb_x0, size_t x0, size_t x1) {
    for (size_t x = x0; x < x1; x++) {
        const uint8_t *p = s + x * 4;
        uint8_t *u = unchanged + ((mb_x0 + x) >> 4);
        helio_yuv_put(y + x, helio_yuv_luma(m, p), u);
        helio_yuv_put(cb + x, helio_yuv_chroma(m->u_b, m->u_g, m->u_r, p[0], p[1], p[2], 15), u);
        helio_yuv_put(cr + x, helio_yuv_chroma(m->v_b, m->v_g, m->v_r, p[0], p[1], p[2], 15), u);
    }
}

#if defined(__x86_64__)
#define HELIO_AVX2 __attribute__((target("avx2")))

/// 8 pixels as (blue, red) and (green, unused) pairs of 16 bits, for the multiply-add instruction.
typedef struct { __m256i br, g; } helio_yuv_px8;

HELIO_AVX2 static inline helio_yuv_px8 helio_yuv_load8(const uint8_t *p) {
    __m256i v = _mm256_loadu_si256((const __m256i *)p);
    helio_yuv_px8 r = {_mm256_and_si256(v, _mm256_set1_epi32(0x00FF00FF)),
                       _mm256_and_si256(_mm256_srli_epi16(v, 8), _mm256_set1_epi32(0x000000FF))};
    return r;
}

HELIO_AVX2 static inline __m256i helio_yuv_pair(int16_t low, int16_t high) {
    return _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)low | (uint32_t)(uint16_t)high << 16));
}

HELIO_AVX2 static inline __m256i helio_yuv_mul(helio_yuv_px8 p, __m256i br, __m256i g, __m256i offset) {
    return _mm256_add_epi32(_mm256_add_epi32(_mm256_madd_epi16(p.br, br), _mm256_madd_epi16(p.g, g)), offset);
}

/// Packs 32 values of 32 bits, 8 per argument, into bytes in order; `a` and `b` become the lower half.
HELIO_AVX2 static inline __m256i helio_yuv_pack(__m256i a, __m256i b, __m256i c, __m256i d) {
    __m256i lo = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xD8);
    __m256i hi = _mm256_permute4x64_epi64(_mm256_packus_epi32(c, d), 0xD8);
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(lo, hi), 0xD8);
}

/// Computes the sums of 2x2 pixels, which are in the even pairs.
HELIO_AVX2 static inline helio_yuv_px8 helio_yuv_sum(helio_yuv_px8 a, helio_yuv_px8 b) {
    __m256i br = _mm256_add_epi16(a.br, b.br), g = _mm256_add_epi16(a.g, b.g);
    helio_yuv_px8 r = {_mm256_add_epi16(br, _mm256_srli_epi64(br, 32)),
                       _mm256_add_epi16(g, _mm256_srli_epi64(g, 32))};
    return r;
}

HELIO_AVX2 static inline int helio_yuv_store16(uint8_t *at, __m128i v) {
    __m128i old = _mm_loadu_si128((const __m128i *)at);
    _mm_storeu_si128((__m128i *)at, v);
    __m128i x = _mm_xor_si128(old, v);
    return !_mm_testz_si128(x, x);
}

HELIO_AVX2 static inline void helio_yuv_420_avx2(
    const helio_yuv_matrix *m, const uint8_t *src, size_t src_stride, const helio_yuv_target *t, size_t x, size_t y,
    size_t w, size_t h) {
    const __m256i yk = helio_yuv_pair(m->y_b, m->y_r), yg = helio_yuv_pair(m->y_g, 0);
    const __m256i uk = helio_yuv_pair(m->u_b, m->u_r), ug = helio_yuv_pair(m->u_g, 0);
    const __m256i vk = helio_yuv_pair(m->v_b, m->v_r), vg = helio_yuv_pair(m->v_g, 0);
    const __m256i yo = _mm256_set1_epi32((m->y_offset << 15) + (1 << 14));
    const __m256i co = _mm256_set1_epi32((128 << 17) + (1 << 16));
    size_t wide = w & ~(size_t)15;
    for (size_t j = 0; j < h; j += 2) {
        const uint8_t *s0 = src + j * src_stride, *s1 = s0 + src_stride;
        uint8_t *y0 = t->y + (y + j) * t->y_stride + x, *y1 = y0 + t->y_stride;
        uint8_t *c = t->cb + ((y + j) >> 1) * t->c_stride + x;
        uint8_t *un = t->unchanged + ((y + j) >> 4) * t->mb_stride;
        for (size_t i = 0; i < wide; i += 16) {
            helio_yuv_px8 a0 = helio_yuv_load8(s0 + i * 4), b0 = helio_yuv_load8(s0 + i * 4 + 32);
            helio_yuv_px8 a1 = helio_yuv_load8(s1 + i * 4), b1 = helio_yuv_load8(s1 + i * 4 + 32);
            __m256i luma = helio_yuv_pack(
                _mm256_srli_epi32(helio_yuv_mul(a0, yk, yg, yo), 15), _mm256_srli_epi32(helio_yuv_mul(b0, yk, yg, yo), 15),
                _mm256_srli_epi32(helio_yuv_mul(a1, yk, yg, yo), 15), _mm256_srli_epi32(helio_yuv_mul(b1, yk, yg, yo), 15));
            helio_yuv_px8 a = helio_yuv_sum(a0, a1), b = helio_yuv_sum(b0, b1);
            __m256i ua = _mm256_srli_epi32(helio_yuv_mul(a, uk, ug, co), 17);
            __m256i va = _mm256_srli_epi32(helio_yuv_mul(a, vk, vg, co), 17);
            __m256i ub = _mm256_srli_epi32(helio_yuv_mul(b, uk, ug, co), 17);
            __m256i vb = _mm256_srli_epi32(helio_yuv_mul(b, vk, vg, co), 17);
            __m256i ca = _mm256_blend_epi32(ua, _mm256_slli_epi64(va, 32), 0xAA);
            __m256i cb = _mm256_blend_epi32(ub, _mm256_slli_epi64(vb, 32), 0xAA);
            __m256i chroma = helio_yuv_pack(ca, cb, ca, cb);
            int changed = helio_yuv_store16(y0 + i, _mm256_castsi256_si128(luma));
            changed |= helio_yuv_store16(y1 + i, _mm256_extracti128_si256(luma, 1));
            changed |= helio_yuv_store16(c + i, _mm256_castsi256_si128(chroma));
            if (changed) un[(x + i) >> 4] = 0, un[(x + i + 15) >> 4] = 0;
        }
        if (wide < w) helio_yuv_420_scalar(m, s0, s1, y0, y1, c, un, x, wide, w);
    }
}

HELIO_AVX2 static inline void helio_yuv_444_avx2(
    const helio_yuv_matrix *m, const uint8_t *src, size_t src_stride, const helio_yuv_target *t, size_t x, size_t y,
    size_t w, size_t h) {
    const __m256i yk = helio_yuv_pair(m->y_b, m->y_r), yg = helio_yuv_pair(m->y_g, 0);
    const __m256i uk = helio_yuv_pair(m->u_b, m->u_r), ug = helio_yuv_pair(m->u_g, 0);
    const __m256i vk = helio_yuv_pair(m->v_b, m->v_r), vg = helio_yuv_pair(m->v_g, 0);
    const __m256i yo = _mm256_set1_epi32((m->y_offset << 15) + (1 << 14));
    const __m256i co = _mm256_set1_epi32((128 << 15) + (1 << 14));
    size_t wide = w & ~(size_t)15;
    for (size_t j = 0; j < h; j++) {
        const uint8_t *s = src + j * src_stride;
        size_t row = (y + j) * t->c_stride + x;
        uint8_t *y0 = t->y + (y + j) * t->y_stride + x, *u0 = t->cb + row, *v0 = t->cr + row;
        uint8_t *un = t->unchanged + ((y + j) >> 4) * t->mb_stride;
        for (size_t i = 0; i < wide; i += 16) {
            helio_yuv_px8 a = helio_yuv_load8(s + i * 4), b = helio_yuv_load8(s + i * 4 + 32);
            __m256i luma_u = helio_yuv_pack(
                _mm256_srli_epi32(helio_yuv_mul(a, yk, yg, yo), 15), _mm256_srli_epi32(helio_yuv_mul(b, yk, yg, yo), 15),
                _mm256_srli_epi32(helio_yuv_mul(a, uk, ug, co), 15), _mm256_srli_epi32(helio_yuv_mul(b, uk, ug, co), 15));
            __m256i va = _mm256_srli_epi32(helio_yuv_mul(a, vk, vg, co), 15);
            __m256i vb = _mm256_srli_epi32(helio_yuv_mul(b, vk, vg, co), 15);
            __m256i v = helio_yuv_pack(va, vb, va, vb);
            int changed = helio_yuv_store16(y0 + i, _mm256_castsi256_si128(luma_u));
            changed |= helio_yuv_store16(u0 + i, _mm256_extracti128_si256(luma_u, 1));
            changed |= helio_yuv_store16(v0 + i, _mm256_castsi256_si128(v));
            if (changed) un[(x + i) >> 4] = 0, un[(x + i + 15) >> 4] = 0;
        }
        if (wide < w) helio_yuv_444_scalar(m, s, y0, u0, v0, un, x, wide, w);
    }
}
#endif

/// Returns 1 if this machine supports the AVX2 code path.
static inline int helio_yuv_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

/// Converts a rectangle of BGRX pixels into the picture at (x, y).
static inline void helio_yuv_convert(
    const helio_yuv_matrix *m, int is_444, int use_avx2, const uint8_t *src, size_t src_stride,
    const helio_yuv_target *t, size_t x, size_t y, size_t w, size_t h) {
#if defined(__x86_64__)
    if (use_avx2) {
        if (is_444) helio_yuv_444_avx2(m, src, src_stride, t, x, y, w, h);
        else helio_yuv_420_avx2(m, src, src_stride, t, x, y, w, h);
        return;
    }
#endif
    for (size_t j = 0; j < h; j += is_444 ? 1 : 2) {
        const uint8_t *s = src + j * src_stride;
        uint8_t *y0 = t->y + (y + j) * t->y_stride + x;
        uint8_t *un = t->unchanged + ((y + j) >> 4) * t->mb_stride;
        if (is_444) {
            size_t row = (y + j) * t->c_stride + x;
            helio_yuv_444_scalar(m, s, y0, t->cb + row, t->cr + row, un, x, 0, w);
        } else {
            uint8_t *c = t->cb + ((y + j) >> 1) * t->c_stride + x;
            helio_yuv_420_scalar(m, s, s + src_stride, y0, y0 + t->y_stride, c, un, x, 0, w);
        }
    }
}
