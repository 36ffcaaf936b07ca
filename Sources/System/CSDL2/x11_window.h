#pragma once

#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <X11/Xlib.h>

/// What X11 calls a window of SDL's.
typedef struct {
    Display *display;
    Window window;
} helio_x11_window;

/// Finds it; 0 if the window isn't one of X11.
static inline int helio_x11_find(SDL_Window *window, helio_x11_window *found) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return 0;
    found->display = info.info.x11.display;
    found->window = info.info.x11.window;
    return 1;
}

/// The X connection that SDL keeps for a window; NULL where the window isn't one of X11.
static inline Display *helio_x11_display(SDL_Window *window) {
    helio_x11_window found;
    return helio_x11_find(window, &found) ? found.display : NULL;
}
