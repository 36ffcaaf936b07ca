#pragma once

#include "wayland_surface.h"
#include <sys/mman.h>
#include <unistd.h>

// The pointer's exact positions, which SDL rounds to points, and the keyboard's layout, which SDL does not tell.

static inline void helio_wayland_pointer_enter(
    void *data, struct wl_pointer *pointer, uint32_t serial, struct wl_surface *surface, wl_fixed_t x, wl_fixed_t y) {
    (void)pointer;
    helio_wayland *w = data;
    w->enter_serial = serial;
    w->is_over = surface == w->parent;
    if (!w->is_over) return;
    helio_wayland_push(HELIO_WAYLAND_MOVED, x, y);
    helio_wayland_push(HELIO_WAYLAND_ENTERED, 0, 0);
}

static inline void helio_wayland_pointer_leave(
    void *data, struct wl_pointer *pointer, uint32_t serial, struct wl_surface *surface) {
    (void)pointer, (void)serial, (void)surface;
    ((helio_wayland *)data)->is_over = 0;
}

static inline void helio_wayland_pointer_motion(
    void *data, struct wl_pointer *pointer, uint32_t time, wl_fixed_t x, wl_fixed_t y) {
    (void)pointer, (void)time;
    if (((helio_wayland *)data)->is_over) helio_wayland_push(HELIO_WAYLAND_MOVED, x, y);
}

static inline void helio_wayland_pointer_button(
    void *data, struct wl_pointer *pointer, uint32_t serial, uint32_t time, uint32_t button, uint32_t state) {
    (void)data, (void)pointer, (void)serial, (void)time, (void)button, (void)state;
}

static inline void helio_wayland_pointer_axis(
    void *data, struct wl_pointer *pointer, uint32_t time, uint32_t axis, wl_fixed_t value) {
    (void)data, (void)pointer, (void)time, (void)axis, (void)value;
}

static inline void helio_wayland_keymap(
    void *data, struct wl_keyboard *keyboard, uint32_t format, int32_t descriptor, uint32_t size) {
    (void)keyboard;
    helio_wayland *w = data;
    void *text = format == WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1 && size > 0
        ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (text == MAP_FAILED) return;
    struct xkb_keymap *keymap = xkb_keymap_new_from_buffer(
        w->context, text, strnlen(text, size), XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    munmap(text, size);
    struct xkb_state *state = keymap ? xkb_state_new(keymap) : NULL;
    if (!state) {
        xkb_keymap_unref(keymap);
        return;
    }
    xkb_state_unref(w->state);
    xkb_keymap_unref(w->keymap);
    w->keymap = keymap;
    w->state = state;
}

static inline void helio_wayland_keyboard_enter(
    void *data, struct wl_keyboard *keyboard, uint32_t serial, struct wl_surface *surface, struct wl_array *keys) {
    (void)data, (void)keyboard, (void)serial, (void)surface, (void)keys;
}

static inline void helio_wayland_keyboard_leave(
    void *data, struct wl_keyboard *keyboard, uint32_t serial, struct wl_surface *surface) {
    (void)data, (void)keyboard, (void)serial, (void)surface;
}

static inline void helio_wayland_key(
    void *data, struct wl_keyboard *keyboard, uint32_t serial, uint32_t time, uint32_t key, uint32_t state) {
    (void)data, (void)keyboard, (void)serial, (void)time, (void)key, (void)state;
}

static inline void helio_wayland_modifiers(
    void *data, struct wl_keyboard *keyboard, uint32_t serial, uint32_t held, uint32_t latched, uint32_t locked,
    uint32_t group) {
    (void)keyboard, (void)serial;
    helio_wayland *w = data;
    if (w->state) xkb_state_update_mask(w->state, held, latched, locked, 0, 0, group);
    helio_wayland_push(HELIO_WAYLAND_LOCKS, 0, 0);
}

static inline void helio_wayland_repeat(void *data, struct wl_keyboard *keyboard, int32_t rate, int32_t delay) {
    (void)data, (void)keyboard, (void)rate, (void)delay;
}

/// Returns the keysym of a key in this machine's layout, with the present modifiers and locks; 0 if there is none.
///
/// - Parameter keycode: the evdev code plus 8.
static inline uint32_t helio_wayland_keysym(const helio_wayland *w, uint32_t keycode) {
    return w->state ? xkb_state_key_get_one_sym(w->state, keycode) : XKB_KEY_NoSymbol;
}

/// Returns the locks that are on, as a sum of 1 for Caps Lock and 2 for Num Lock; -1 if no keyboard is known.
static inline int helio_wayland_locks(const helio_wayland *w) {
    if (!w->state) return -1;
    int caps = xkb_state_mod_name_is_active(w->state, XKB_MOD_NAME_CAPS, XKB_STATE_MODS_LOCKED) > 0;
    int num = xkb_state_mod_name_is_active(w->state, XKB_MOD_NAME_NUM, XKB_STATE_MODS_LOCKED) > 0;
    return caps + 2 * num;
}
