#pragma once

#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>
#include <xkbcommon/xkbcommon.h>

// The Wayland side of an SDL window: a surface of this program's own over SDL's, the pointer's exact positions, and the
// keyboard's layout. SDL's surface has a black buffer of the window's size, and is committed only when that changes, as
// SDL marks all of it as changed in every frame: a compositor would read all pixels for each drawn character.

/// The values of `SDL_UserEvent.code`.
enum {
    /// The pointer has moved over SDL's surface, to `data1`, `data2`: in 1/256 points from its top left.
    HELIO_WAYLAND_MOVED = 0x48454C,
    /// The pointer has come over SDL's surface.
    HELIO_WAYLAND_ENTERED,
    /// Caps Lock or Num Lock may have changed.
    HELIO_WAYLAND_LOCKS,
};

typedef struct {
    struct wl_display *display;
    /// SDL's surface.
    struct wl_surface *parent;
    struct wl_registry *registry;
    struct wl_compositor *compositor;
    struct wl_subcompositor *subcompositor;
    struct wl_shm *shm;
    struct wl_seat *seat;
    struct wl_pointer *pointer;
    struct wl_keyboard *keyboard;
    /// `wp_viewporter` and the `wp_viewport` of `surface`; NULL if the compositor has none.
    struct wl_proxy *viewporter, *viewport;
    struct wl_surface *surface;
    struct wl_subsurface *subsurface;
    /// The frame callback that the compositor has not called yet; NULL if there is none.
    struct wl_callback *frame;
    /// The present black buffer of `parent`, and the one before.
    struct wl_buffer *backs[2];
    struct wl_surface *cursor;
    struct wl_proxy *cursor_viewport;
    struct xkb_context *context;
    struct xkb_keymap *keymap;
    struct xkb_state *state;
    uint32_t seat_name, enter_serial;
    int is_over;
    /// Not 0 if the compositor can give a window its own shortcuts, or lock the pointer: 1 by its constraints and 2 by
    /// its relative motion, which must both be there.
    int can_inhibit, can_lock;
} helio_wayland;

/// Memory for pixels that is shared with the compositor: lines of 4-byte pixels without gaps.
typedef struct {
    struct wl_buffer *buffer;
    uint8_t *pixels;
    size_t size;
    /// 1 while the compositor may read the pixels.
    int is_busy;
} helio_wayland_buffer;

static inline const struct wl_interface *helio_wayland_viewport_interface(void) {
    static const struct wl_interface *none[4];
    static const struct wl_message requests[] = {{"destroy", "", none}, {"set_source", "ffff", none},
                                                 {"set_destination", "ii", none}};
    static const struct wl_interface interface = {"wp_viewport", 1, 3, requests, 0, NULL};
    return &interface;
}

static inline const struct wl_interface *helio_wayland_viewporter_interface(void) {
    static const struct wl_interface *types[2];
    static const struct wl_message requests[] = {{"destroy", "", types}, {"get_viewport", "no", types}};
    static const struct wl_interface interface = {"wp_viewporter", 1, 2, requests, 0, NULL};
    types[0] = helio_wayland_viewport_interface();
    types[1] = &wl_surface_interface;
    return &interface;
}

static inline struct wl_proxy *helio_wayland_viewport(helio_wayland *w, struct wl_surface *surface) {
    if (!w->viewporter) return NULL;
    return wl_proxy_marshal_flags(w->viewporter, 1, helio_wayland_viewport_interface(), 1, 0, NULL, surface);
}

/// Destroys a `wp_viewport` or `wp_viewporter`.
static inline void helio_wayland_destroy(struct wl_proxy *proxy) {
    if (proxy) wl_proxy_marshal_flags(proxy, 0, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}

/// Sets the size, in points, at which a surface's buffer is shown; without a `wp_viewport`, the largest whole scale.
static inline void helio_wayland_fit(
    struct wl_surface *surface, struct wl_proxy *viewport, int width, int height, int points_wide, int points_high) {
    if (viewport) {
        wl_proxy_marshal_flags(viewport, 2, NULL, 1, 0, points_wide, points_high);
    } else {
        int scale = points_wide > 0 ? width / points_wide : 1;
        wl_surface_set_buffer_scale(
            surface, scale > 1 && width % scale == 0 && height % scale == 0 ? scale : 1);
    }
}

static inline void helio_wayland_push(Sint32 code, intptr_t x, intptr_t y) {
    SDL_Event event;
    memset(&event, 0, sizeof event);
    event.user.type = SDL_USEREVENT;
    event.user.code = code;
    event.user.data1 = (void *)x;
    event.user.data2 = (void *)y;
    SDL_PushEvent(&event);
}
