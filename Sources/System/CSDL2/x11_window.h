#pragma once

#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <X11/Xlib.h>

/// The X11 identity of an SDL window.
typedef struct {
    Display *display;
    Window window;
} helio_x11_window;

/// Reads the X11 identity of an SDL window. Returns 0 if the window isn't an X11 window.
static inline int helio_x11_find(SDL_Window *window, helio_x11_window *found) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return 0;
    found->display = info.info.x11.display;
    found->window = info.info.x11.window;
    return 1;
}

/// Returns SDL's X connection of a window; NULL if the window isn't an X11 window.
static inline Display *helio_x11_display(SDL_Window *window) {
    helio_x11_window found;
    return helio_x11_find(window, &found) ? found.display : NULL;
}
