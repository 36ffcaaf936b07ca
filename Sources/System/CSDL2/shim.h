#pragma once

// These macros keep SDL's headers from including the compiler's vector headers, which are not needed.
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

/// Returns 1 if Xlib's queue contains events, after reading the available bytes from the socket. Never blocks.
///
/// A round trip, such as the XSync after a put, moves events from the socket to the queue, where poll(2) does not see
/// them.
static inline int helio_x11_has_events(Display *display) {
    return XEventsQueued(display, QueuedAfterReading) > 0;
}

/// Selects or deselects the pointer's raw events.
///
/// SDL always selects them, but needs them for relative motion only. The server sends them before the window's own
/// events, so each motion would wake the window's thread twice, the first time needlessly.
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

/// Returns the keycode of a native X key event, negative for a release; 0 for any other event.
static inline int helio_x11_key(const SDL_Event *event) {
    if (event->type != SDL_SYSWMEVENT || event->syswm.msg->subsystem != SDL_SYSWM_X11) return 0;
    const XEvent *own = &event->syswm.msg->msg.x11.event;
    if (own->type == KeyPress) return (int)own->xkey.keycode;
    return own->type == KeyRelease ? -(int)own->xkey.keycode : 0;
}

/// Returns the keysym of a pressed key in this machine's layout, with the modifiers and locks at the time of the press.
static inline uint32_t helio_x11_keysym(const SDL_Event *event) {
    const XKeyEvent *key = &event->syswm.msg->msg.x11.event.xkey;
    unsigned used = 0;
    KeySym keysym = NoSymbol;
    if (!XkbLookupKeySym(key->display, (KeyCode)key->keycode, key->state, &used, &keysym)) return NoSymbol;
    // Apply Caps Lock to a keysym if the key's type does not handle Caps Lock itself.
    char text[16];
    XkbTranslateKeySym(key->display, &keysym, key->state & ~used, text, sizeof text, NULL);
    return (uint32_t)keysym;
}

/// Returns 1 if an event is a native event of an X extension, such as a change of locks.
static inline int helio_x11_is_extension(const SDL_Event *event) {
    return event->type == SDL_SYSWMEVENT && event->syswm.msg->subsystem == SDL_SYSWM_X11 &&
        event->syswm.msg->msg.x11.event.type >= 64;
}

/// Selects events for changes of Caps Lock and Num Lock, whatever client changes them.
static inline void helio_x11_want_locks(Display *display) {
    XkbSelectEventDetails(display, XkbUseCoreKbd, XkbStateNotify, XkbModifierLockMask, XkbModifierLockMask);
}

/// Returns the locks that are on, as a sum of 1 for Caps Lock and 2 for Num Lock; negative if the server reports an
/// error. Blocks until the server's answer.
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

/// Enables native X key events in SDL's queue, each before the SDL event that is made from it. Call it before a window
/// is made, as SDL discards queued events.
static inline void helio_x11_want_keys(void) {
    SDL_SetEventFilter(helio_x11_is_wanted, NULL);
    SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE);
}

/// SDL_BlitSurface is a macro, which Swift can't import.
static inline int helio_sdl_blit(SDL_Surface *from, SDL_Surface *to, int x, int y) {
    SDL_Rect target = {x, y, 0, 0};
    return SDL_UpperBlit(from, NULL, to, &target);
}

/// Makes a graphics context with which the server reports the parts that a copy could not fill because their source was
/// covered. NULL if the window isn't an X11 window.
static inline GC helio_x11_copying(SDL_Window *window) {
    helio_x11_window own;
    if (!helio_x11_find(window, &own)) return NULL;
    XGCValues values = {.graphics_exposures = True};
    return XCreateGC(own.display, own.window, GCGraphicsExposures, &values);
}

static inline void helio_x11_free(SDL_Window *window, GC gc) { XFreeGC(helio_x11_display(window), gc); }

/// Moves pixels of a window up by `motion` lines, or down if `motion` is negative, into the rectangle `target`.
static inline void helio_x11_move(SDL_Window *window, GC gc, const SDL_Rect *target, int motion) {
    helio_x11_window own;
    if (!helio_x11_find(window, &own)) return;
    XCopyArea(
        own.display, own.window, own.window, gc, target->x, target->y + motion, (unsigned)target->w, (unsigned)target->h,
        target->x, target->y);
}

/// Takes the next part that a copy could not fill; returns 0 if there is none. Call it after `XSync`, when the server
/// has executed the copies.
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
