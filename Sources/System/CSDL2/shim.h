#pragma once

// SDL's headers pull in the compiler's vector headers for nothing.
#define SDL_DISABLE_IMMINTRIN_H
#define SDL_DISABLE_MMINTRIN_H
#define SDL_DISABLE_XMMINTRIN_H
#define SDL_DISABLE_EMMINTRIN_H
#define SDL_DISABLE_PMMINTRIN_H
#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>
#include <SDL2/SDL_ttf.h>
#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>
#include <X11/extensions/XInput2.h>
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <xkbcommon/xkbcommon.h>

#include "x11_window.h"

static inline int helio_x11_descriptor(Display *display) { return ConnectionNumber(display); }

/// Whether events lie in Xlib's queue, reading what the socket has first; never blocks.
///
/// A round trip (the sync of a put, say) moves events from the socket to the queue: poll(2) doesn't see those.
static inline int helio_x11_has_events(Display *display) {
    return XEventsQueued(display, QueuedAfterReading) > 0;
}

/// Asks for the pointer's raw events, or no longer.
///
/// SDL always asks, and needs them for relative motion only. The server sends them ahead of the window's own events, so
/// each would wake the window's thread twice, and the first time for nothing.
static inline void helio_x11_want_raw_pointer(Display *display, int on) {
    unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {0};
    XIEventMask mask = {XIAllMasterDevices, sizeof bits, bits};
    if (on) {
        XISetMask(bits, XI_RawMotion);
        XISetMask(bits, XI_RawButtonPress);
        XISetMask(bits, XI_RawButtonRelease);
    }
    XISelectEvents(display, DefaultRootWindow(display), &mask, 1);
}

/// The code of the key that an event of X's own is about, negative if it is let go; 0: none.
static inline int helio_x11_key(const SDL_Event *event) {
    if (event->type != SDL_SYSWMEVENT || event->syswm.msg->subsystem != SDL_SYSWM_X11) return 0;
    const XEvent *own = &event->syswm.msg->msg.x11.event;
    if (own->type == KeyPress) return (int)own->xkey.keycode;
    return own->type == KeyRelease ? -(int)own->xkey.keycode : 0;
}

/// The keysym that this machine's layout makes of a pressed key, with the modifiers and locks that it went down with.
static inline uint32_t helio_x11_keysym(const SDL_Event *event) {
    const XKeyEvent *key = &event->syswm.msg->msg.x11.event.xkey;
    unsigned used = 0;
    KeySym keysym = NoSymbol;
    if (!XkbLookupKeySym(key->display, (KeyCode)key->keycode, key->state, &used, &keysym)) return NoSymbol;
    // Caps Lock makes capitals of what the key itself did not take it for.
    char text[16];
    XkbTranslateKeySym(key->display, &keysym, key->state & ~used, text, sizeof text, NULL);
    return (uint32_t)keysym;
}

/// Whether an event is one of X's extensions, such as that locks have changed.
static inline int helio_x11_is_extension(const SDL_Event *event) {
    return event->type == SDL_SYSWMEVENT && event->syswm.msg->subsystem == SDL_SYSWM_X11 &&
        event->syswm.msg->msg.x11.event.type >= 64;
}

/// Asks to be told when Caps Lock or Num Lock changes, whoever switches it.
static inline void helio_x11_want_locks(Display *display) {
    XkbSelectEventDetails(display, XkbUseCoreKbd, XkbStateNotify, XkbModifierLockMask, XkbModifierLockMask);
}

/// The locks that are on: 1 Caps Lock, 2 Num Lock; negative if the server does not say. Waits for its answer.
static inline int helio_x11_locks(Display *display) {
    XkbStateRec state;
    if (XkbGetState(display, XkbUseCoreKbd, &state) != Success) return -1;
    unsigned num = XkbKeysymToModifiers(display, XK_Num_Lock);
    return (state.locked_mods & LockMask ? 1 : 0) | (state.locked_mods & num ? 2 : 0);
}

static inline int helio_x11_is_wanted(void *unused, SDL_Event *event) {
    (void)unused;
    return event->type != SDL_SYSWMEVENT || helio_x11_key(event) != 0 || helio_x11_is_extension(event);
}

/// Has X's own events of keys told beside SDL's, each ahead of what SDL makes of it. Before there is a window: SDL
/// forgets what is queued.
static inline void helio_x11_want_keys(void) {
    SDL_SetEventFilter(helio_x11_is_wanted, NULL);
    SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE);
}

/// SDL_BlitSurface is a macro which Swift can't import.
static inline int helio_sdl_blit(SDL_Surface *from, SDL_Surface *to, int x, int y) {
    SDL_Rect target = {x, y, 0, 0};
    return SDL_UpperBlit(from, NULL, to, &target);
}

/// A graphics context that has the server tell of parts that a copy could not fill, as they were covered; NULL = none.
static inline GC helio_x11_copying(SDL_Window *window) {
    helio_x11_window own;
    if (!helio_x11_find(window, &own)) return NULL;
    XGCValues values = {.graphics_exposures = True};
    return XCreateGC(own.display, own.window, GCGraphicsExposures, &values);
}

static inline void helio_x11_free(SDL_Window *window, GC gc) { XFreeGC(helio_x11_display(window), gc); }

/// Moves pixels of a window up by `motion` lines, or down if that is negative, to `target`.
static inline void helio_x11_move(SDL_Window *window, GC gc, const SDL_Rect *target, int motion) {
    helio_x11_window own;
    if (!helio_x11_find(window, &own)) return;
    XCopyArea(
        own.display, own.window, own.window, gc, target->x, target->y + motion, (unsigned)target->w, (unsigned)target->h,
        target->x, target->y);
}

/// Takes the next part that a copy could not fill. Call it when the server has answered for the copies (`XSync`).
static inline int helio_x11_take_uncopied(Display *display, SDL_Rect *part) {
    XEvent event;
    while (XCheckTypedEvent(display, NoExpose, &event)) {}
    if (!XCheckTypedEvent(display, GraphicsExpose, &event)) return 0;
    SDL_Rect r = {event.xgraphicsexpose.x, event.xgraphicsexpose.y, event.xgraphicsexpose.width,
                  event.xgraphicsexpose.height};
    *part = r;
    return 1;
}

static inline void helio_x11_sync(Display *display) { XSync(display, False); }
