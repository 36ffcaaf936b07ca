#pragma once

#include "wayland_surface.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void helio_wayland_released(void *data, struct wl_buffer *buffer) {
    (void)buffer;
    ((helio_wayland_buffer *)data)->is_busy = 0;
}

/// Makes a `wl_buffer` of memory that is 0; NULL if there is none left.
///
/// - Parameter pixels: set to the memory, which the caller unmaps; NULL if it is not wanted.
static inline struct wl_buffer *helio_wayland_memory_buffer(
    helio_wayland *w, int width, int height, uint32_t format, uint8_t **pixels) {
    size_t size = (size_t)width * 4 * (size_t)height;
    if (width <= 0 || height <= 0 || size > INT32_MAX) return NULL;
    int memory = (int)syscall(SYS_memfd_create, "heliograph-window", 1u /* MFD_CLOEXEC */);
    if (memory < 0) return NULL;
    struct wl_buffer *buffer = NULL;
    void *mapped = MAP_FAILED;
    if (ftruncate(memory, (off_t)size) == 0) {
        if (pixels) mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        if (!pixels || mapped != MAP_FAILED) {
            struct wl_shm_pool *pool = wl_shm_create_pool(w->shm, memory, (int32_t)size);
            buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, format);
            wl_shm_pool_destroy(pool);
            if (pixels) *pixels = mapped;
        }
    }
    close(memory);
    return buffer;
}

static inline helio_wayland_buffer *helio_wayland_buffer_open(helio_wayland *w, int width, int height, int has_alpha) {
    static const struct wl_buffer_listener listener = {.release = helio_wayland_released};
    helio_wayland_buffer *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->size = (size_t)width * 4 * (size_t)height;
    b->buffer = helio_wayland_memory_buffer(
        w, width, height, has_alpha ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888, &b->pixels);
    if (!b->buffer) {
        free(b);
        return NULL;
    }
    wl_buffer_add_listener(b->buffer, &listener, b);
    return b;
}

static inline void helio_wayland_buffer_close(helio_wayland_buffer *b) {
    if (!b) return;
    wl_buffer_destroy(b->buffer);
    munmap(b->pixels, b->size);
    free(b);
}

// MARK: Showing

/// Marks a part of the surface as changed, for the next `helio_wayland_show`.
static inline void helio_wayland_damage(helio_wayland *w, const SDL_Rect *part) {
    wl_surface_damage_buffer(w->surface, part->x, part->y, part->w, part->h);
}

static inline void helio_wayland_framed(void *data, struct wl_callback *frame, uint32_t time) {
    (void)time;
    helio_wayland *w = data;
    if (w->frame == frame) w->frame = NULL;
    wl_callback_destroy(frame);
}

/// Shows a buffer, without waiting for the compositor, and asks for a frame callback unless one is due.
static inline void helio_wayland_show(helio_wayland *w, helio_wayland_buffer *b) {
    static const struct wl_callback_listener listener = {.done = helio_wayland_framed};
    if (!w->frame) {
        w->frame = wl_surface_frame(w->surface);
        wl_callback_add_listener(w->frame, &listener, w);
    }
    b->is_busy = 1;
    wl_surface_attach(w->surface, b->buffer, 0, 0);
    wl_surface_commit(w->surface);
}

/// Gives SDL's surface a new black buffer, and so executes SDL's changes of the window's size and scale. Returns 0 if
/// no memory is left.
static inline int helio_wayland_show_back(helio_wayland *w, int width, int height) {
    struct wl_buffer *back = helio_wayland_memory_buffer(w, width, height, WL_SHM_FORMAT_XRGB8888, NULL);
    if (!back) return 0;
    wl_surface_attach(w->parent, back, 0, 0);
    wl_surface_damage(w->parent, 0, 0, INT32_MAX, INT32_MAX);
    wl_surface_commit(w->parent);
    if (w->backs[1]) wl_buffer_destroy(w->backs[1]);
    w->backs[1] = w->backs[0];
    w->backs[0] = back;
    return 1;
}

/// Sends all requests. Returns 0 if the connection has ended.
static inline int helio_wayland_flush(helio_wayland *w) {
    wl_display_flush(w->display);
    return wl_display_get_error(w->display) == 0;
}

/// Sets the pointer's shape while it is over the window, in place of SDL's.
///
/// - Parameters:
///   - width, height: of the buffer, in pixels.
///   - points_wide, points_high, x, y: the size and the hotspot in points.
static inline void helio_wayland_set_cursor(
    helio_wayland *w, helio_wayland_buffer *b, int width, int height, int points_wide, int points_high, int x, int y) {
    if (!w->pointer || !w->is_over) return;
    if (!w->cursor) {
        w->cursor = wl_compositor_create_surface(w->compositor);
        w->cursor_viewport = helio_wayland_viewport(w, w->cursor);
    }
    wl_pointer_set_cursor(w->pointer, w->enter_serial, w->cursor, x, y);
    helio_wayland_fit(w->cursor, w->cursor_viewport, width, height, points_wide, points_high);
    wl_surface_attach(w->cursor, b->buffer, 0, 0);
    wl_surface_damage_buffer(w->cursor, 0, 0, width, height);
    wl_surface_commit(w->cursor);
}
