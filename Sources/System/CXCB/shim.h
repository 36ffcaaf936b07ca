// XCB and the extensions used for capture and input, with what Swift can't reach by itself: the
// extensions' mutable globals and SysV shared memory.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <xcb/damage.h>
#include <xcb/randr.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

typedef enum { HELIO_SHM, HELIO_DAMAGE, HELIO_RANDR, HELIO_XFIXES, HELIO_XTEST } helio_xcb_extension;

/// What the server says about an extension; absent (`present == 0`) or NULL on a dead connection.
static inline const xcb_query_extension_reply_t *helio_xcb_query(xcb_connection_t *c, helio_xcb_extension e) {
    switch (e) {
    case HELIO_SHM: return xcb_get_extension_data(c, &xcb_shm_id);
    case HELIO_DAMAGE: return xcb_get_extension_data(c, &xcb_damage_id);
    case HELIO_RANDR: return xcb_get_extension_data(c, &xcb_randr_id);
    case HELIO_XFIXES: return xcb_get_extension_data(c, &xcb_xfixes_id);
    case HELIO_XTEST: return xcb_get_extension_data(c, &xcb_test_id);
    }
    return NULL;
}

/// Whether the server has an extension of this name.
static inline int helio_xcb_has(xcb_connection_t *c, const char *name) {
    xcb_query_extension_reply_t *reply =
        xcb_query_extension_reply(c, xcb_query_extension(c, (uint16_t)strlen(name), name), NULL);
    int has = reply && reply->present;
    free(reply);
    return has;
}

/// Keeps the server's screen saver and its power management from turning the screen dark (MIT-SCREEN-SAVER 1.1,
/// Suspend), or lets them again; returns 0 if the server can't. That ends with the connection.
///
/// The extension's own library is not on every machine, for one request of eight bytes.
static inline int helio_screen_saver_suspend(xcb_connection_t *c, int suspended) {
    static xcb_extension_t saver = {"MIT-SCREEN-SAVER", 0};
    const xcb_query_extension_reply_t *there = xcb_get_extension_data(c, &saver);
    if (!there || !there->present) return 0;
    struct {
        uint8_t major, minor;
        uint16_t length;
        uint32_t suspended;
    } request = {.suspended = suspended ? 1 : 0};
    // libxcb writes major, minor and length, and wants two elements ahead of the first.
    struct iovec parts[4];
    memset(parts, 0, sizeof parts);
    parts[2].iov_base = &request;
    parts[2].iov_len = sizeof request;
    xcb_protocol_request_t protocol = {.count = 2, .ext = &saver, .opcode = 5, .isvoid = 1};
    xcb_send_request(c, 0, parts + 2, &protocol);
    return 1;
}

/// A new private SysV segment, mapped; NULL when there is none to be had.
static inline void *helio_shm_create(size_t bytes, int *id) {
    *id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (*id < 0) return NULL;
    void *at = shmat(*id, NULL, 0);
    if (at == (void *)-1) {
        shmctl(*id, IPC_RMID, NULL);
        return NULL;
    }
    return at;
}

/// The segment disappears with its last user, a crash included.
static inline void helio_shm_forget(int id) { shmctl(id, IPC_RMID, NULL); }
