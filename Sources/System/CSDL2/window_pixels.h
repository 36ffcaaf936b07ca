#pragma once

#include "x11_window.h"
#include <X11/extensions/XShm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/shm.h>

/// The pixels of a window in memory shared with the X server. SDL has such memory, too, but waits for the server after
/// each updated part.
typedef struct {
    helio_x11_window x;
    GC gc;
    XImage *image;
    XShmSegmentInfo segment;
    /// The pixels if the server can't read this process's shared memory, so that they are sent through the connection;
    /// otherwise NULL.
    char *unshared;
} helio_window_pixels;

/// A flag that is 1 if the server has reported an error since it was set to 0.
static inline int *helio_window_pixels_refusal(void) {
    static int refusal;
    return &refusal;
}

static inline int helio_window_pixels_note(Display *display, XErrorEvent *event) {
    (void)display;
    (void)event;
    *helio_window_pixels_refusal() = 1;
    return 0;
}

static inline void helio_window_pixels_close(helio_window_pixels *p) {
    if (!p) return;
    if (p->gc) XFreeGC(p->x.display, p->gc);
    // The image must not free its memory, which is freed below.
    if (p->image) {
        p->image->data = NULL;
        p->image->f.destroy_image(p->image);
    }
    if (p->segment.shmaddr) shmdt(p->segment.shmaddr);
    free(p->unshared);
    free(p);
}

/// Returns 1 if the server has attached this memory. In another IPC namespace, such as a container's, the segment's
/// number may identify another program's memory. So a random mark is written and read back from the server through a
/// pixmap.
static inline int helio_window_pixels_reads(helio_window_pixels *p, unsigned depth) {
    enum { MARK = 16 };
    Display *display = p->x.display;
    uint32_t mark[MARK];
    const unsigned count = p->image->width < MARK ? (unsigned)p->image->width : MARK;
    if (getrandom(mark, sizeof mark, 0) != (ssize_t)sizeof mark) return 0;
    memcpy(p->image->data, mark, count * sizeof *mark);
    Pixmap pixmap = XCreatePixmap(display, p->x.window, count, 1, depth);
    GC gc = XCreateGC(display, pixmap, 0, NULL);
    XShmPutImage(display, pixmap, gc, p->image, 0, 0, 0, 0, count, 1, False);
    XImage *read = XGetImage(display, pixmap, 0, 0, count, 1, AllPlanes, ZPixmap);
    int same = read != NULL;
    for (unsigned i = 0; same && i < count; i++) same = ((read->f.get_pixel(read, (int)i, 0) ^ mark[i]) & 0xFFFFFF) == 0;
    if (read) read->f.destroy_image(read);
    XFreeGC(display, gc);
    XFreePixmap(display, pixmap);
    memset(p->image->data, 0, count * sizeof *mark);
    return same;
}

/// Makes memory for a window's pixels. NULL if the server has no shared memory, for example because it is on another
/// machine, or if its pixels don't have 4 bytes in the order B, G, R.
static inline helio_window_pixels *helio_window_pixels_open(SDL_Window *window, int width, int height) {
    helio_x11_window x;
    if (!helio_x11_find(window, &x)) return NULL;
    Display *display = x.display;
    XWindowAttributes attributes;
    if (!XShmQueryExtension(display) || !XGetWindowAttributes(display, x.window, &attributes)) return NULL;
    helio_window_pixels *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->x = x;
    p->image = XShmCreateImage(
        display, attributes.visual, (unsigned)attributes.depth, ZPixmap, NULL, &p->segment, (unsigned)width,
        (unsigned)height);
    if (!p->image || p->image->bits_per_pixel != 32 || p->image->byte_order != LSBFirst
        || p->image->red_mask != 0xFF0000 || p->image->blue_mask != 0xFF) {
        helio_window_pixels_close(p);
        return NULL;
    }
    size_t size = (size_t)p->image->bytes_per_line * (size_t)height;
    p->segment.shmid = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    void *memory = p->segment.shmid < 0 ? (void *)-1 : shmat(p->segment.shmid, NULL, 0);
    if (memory != (void *)-1) {
        p->segment.shmaddr = p->image->data = memory;
        p->segment.readOnly = True;
        *helio_window_pixels_refusal() = 0;
        XSync(display, False);
        int (*before)(Display *, XErrorEvent *) = XSetErrorHandler(helio_window_pixels_note);
        if (!XShmAttach(display, &p->segment)) *helio_window_pixels_refusal() = 1;
        XSync(display, False);
        if (!*helio_window_pixels_refusal() && !helio_window_pixels_reads(p, (unsigned)attributes.depth)) {
            XShmDetach(display, &p->segment);
            XSync(display, False);
            // The pixels are then sent through the connection, as SDL's own shared memory would fail in the same way.
            *helio_window_pixels_refusal() = 0;
            shmdt(memory);
            p->segment.shmaddr = NULL;
            p->unshared = p->image->data = calloc(1, size);
            if (!p->unshared) *helio_window_pixels_refusal() = 1;
        }
        XSetErrorHandler(before);
    }
    // The marked segment exists until both the server and this process have detached it.
    if (p->segment.shmid >= 0) shmctl(p->segment.shmid, IPC_RMID, NULL);
    if (memory == (void *)-1 || *helio_window_pixels_refusal()) {
        helio_window_pixels_close(p);
        return NULL;
    }
    p->gc = XCreateGC(display, p->x.window, 0, NULL);
    return p;
}

/// Sends a part to the server without waiting. The pixels must not change until the next `XSync`.
static inline void helio_window_pixels_put(helio_window_pixels *p, const SDL_Rect *part) {
    if (p->unshared)
        XPutImage(
            p->x.display, p->x.window, p->gc, p->image, part->x, part->y, part->x, part->y, (unsigned)part->w,
            (unsigned)part->h);
    else
        XShmPutImage(
            p->x.display, p->x.window, p->gc, p->image, part->x, part->y, part->x, part->y, (unsigned)part->w,
            (unsigned)part->h, False);
    XFlush(p->x.display);
}

/// Makes the server detach the memory, and frees it.
static inline void helio_window_pixels_detach(helio_window_pixels *p) {
    if (!p->unshared) XShmDetach(p->x.display, &p->segment);
    XSync(p->x.display, False);
    helio_window_pixels_close(p);
}
