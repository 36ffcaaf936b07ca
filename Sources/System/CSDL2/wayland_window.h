#pragma once

#include "wayland_input.h"
#include <link.h>

/// Returns the path of a library, by its handle of `dlopen`, which is valid as long as the handle.
static inline const char *helio_library_path(void *handle) { return ((const struct link_map *)handle)->l_name; }

static inline void helio_wayland_seat_capabilities(void *data, struct wl_seat *seat, uint32_t capabilities) {
    static const struct wl_pointer_listener pointer = {
        .enter = helio_wayland_pointer_enter, .leave = helio_wayland_pointer_leave,
        .motion = helio_wayland_pointer_motion, .button = helio_wayland_pointer_button,
        .axis = helio_wayland_pointer_axis};
    static const struct wl_keyboard_listener keyboard = {
        .keymap = helio_wayland_keymap, .enter = helio_wayland_keyboard_enter, .leave = helio_wayland_keyboard_leave,
        .key = helio_wayland_key, .modifiers = helio_wayland_modifiers, .repeat_info = helio_wayland_repeat};
    helio_wayland *w = data;
    if (capabilities & WL_SEAT_CAPABILITY_POINTER && !w->pointer) {
        w->pointer = wl_seat_get_pointer(seat);
        wl_pointer_add_listener(w->pointer, &pointer, w);
    } else if (!(capabilities & WL_SEAT_CAPABILITY_POINTER) && w->pointer) {
        wl_pointer_destroy(w->pointer);
        w->pointer = NULL;
        w->is_over = 0;
    }
    if (capabilities & WL_SEAT_CAPABILITY_KEYBOARD && !w->keyboard) {
        w->keyboard = wl_seat_get_keyboard(seat);
        wl_keyboard_add_listener(w->keyboard, &keyboard, w);
    } else if (!(capabilities & WL_SEAT_CAPABILITY_KEYBOARD) && w->keyboard) {
        wl_keyboard_destroy(w->keyboard);
        w->keyboard = NULL;
    }
}

static inline void helio_wayland_seat_name(void *data, struct wl_seat *seat, const char *name) {
    (void)data, (void)seat, (void)name;
}

static inline void helio_wayland_global(
    void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
    static const struct wl_seat_listener seat = {
        .capabilities = helio_wayland_seat_capabilities, .name = helio_wayland_seat_name};
    helio_wayland *w = data;
    if (!strcmp(interface, "wl_compositor") && version >= 4 && !w->compositor) {
        w->compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
    } else if (!strcmp(interface, "wl_subcompositor") && !w->subcompositor) {
        w->subcompositor = wl_registry_bind(registry, name, &wl_subcompositor_interface, 1);
    } else if (!strcmp(interface, "wl_shm") && !w->shm) {
        w->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    } else if (!strcmp(interface, "wp_viewporter") && !w->viewporter) {
        w->viewporter = wl_registry_bind(registry, name, helio_wayland_viewporter_interface(), 1);
    } else if (!strcmp(interface, "wl_seat") && !w->seat) {
        // Version 1: events of later versions are of no use here.
        w->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
        w->seat_name = name;
        wl_seat_add_listener(w->seat, &seat, w);
    } else if (!strcmp(interface, "zwp_keyboard_shortcuts_inhibit_manager_v1")) {
        w->can_inhibit = 1;
    } else if (!strcmp(interface, "zwp_pointer_constraints_v1")) {
        w->can_lock |= 1;
    } else if (!strcmp(interface, "zwp_relative_pointer_manager_v1")) {
        w->can_lock |= 2;
    }
}

static inline void helio_wayland_global_remove(void *data, struct wl_registry *registry, uint32_t name) {
    (void)registry;
    helio_wayland *w = data;
    if (!w->seat || name != w->seat_name) return;
    helio_wayland_seat_capabilities(w, w->seat, 0);
    wl_seat_destroy(w->seat);
    w->seat = NULL;
}

static inline void helio_wayland_close(helio_wayland *w) {
    if (!w) return;
    if (w->seat) helio_wayland_seat_capabilities(w, w->seat, 0);
    if (w->frame) wl_callback_destroy(w->frame);
    helio_wayland_destroy(w->cursor_viewport);
    if (w->cursor) wl_surface_destroy(w->cursor);
    helio_wayland_destroy(w->viewport);
    if (w->subsurface) wl_subsurface_destroy(w->subsurface);
    if (w->surface) wl_surface_destroy(w->surface);
    for (int i = 0; i < 2; i++) if (w->backs[i]) wl_buffer_destroy(w->backs[i]);
    helio_wayland_destroy(w->viewporter);
    if (w->seat) wl_seat_destroy(w->seat);
    if (w->shm) wl_shm_destroy(w->shm);
    if (w->subcompositor) wl_subcompositor_destroy(w->subcompositor);
    if (w->compositor) wl_compositor_destroy(w->compositor);
    if (w->registry) wl_registry_destroy(w->registry);
    xkb_state_unref(w->state);
    xkb_keymap_unref(w->keymap);
    xkb_context_unref(w->context);
    free(w);
}

/// Waits until the compositor has executed all requests, and handles its events.
static inline void helio_wayland_synchronize(helio_wayland *w) { wl_display_roundtrip(w->display); }

/// Makes the surface over an SDL window. NULL if the window isn't a Wayland window, or the compositor lacks what is
/// needed.
static inline helio_wayland *helio_wayland_open(SDL_Window *window) {
    static const struct wl_registry_listener listener = {
        .global = helio_wayland_global, .global_remove = helio_wayland_global_remove};
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_WAYLAND) return NULL;
    helio_wayland *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->display = info.info.wl.display;
    w->parent = info.info.wl.surface;
    w->context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    w->registry = wl_display_get_registry(w->display);
    if (!w->context || !w->registry) goto failed;
    wl_registry_add_listener(w->registry, &listener, w);
    if (wl_display_roundtrip(w->display) < 0 || !w->compositor || !w->subcompositor || !w->shm) goto failed;
    w->surface = wl_compositor_create_surface(w->compositor);
    w->subsurface = wl_subcompositor_get_subsurface(w->subcompositor, w->surface, w->parent);
    wl_subsurface_set_desync(w->subsurface);
    w->viewport = helio_wayland_viewport(w, w->surface);
    // Input goes to SDL's surface.
    struct wl_region *nowhere = wl_compositor_create_region(w->compositor);
    wl_surface_set_input_region(w->surface, nowhere);
    wl_region_destroy(nowhere);
    // The seat's capabilities, then the keyboard's layout.
    if (wl_display_roundtrip(w->display) < 0 || wl_display_roundtrip(w->display) < 0) goto failed;
    return w;
failed:
    helio_wayland_close(w);
    return NULL;
}
