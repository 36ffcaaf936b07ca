// XCB and the extensions used for capture and input, with what Swift can't reach by itself: the
// extensions' mutable globals and SysV shared memory.
#pragma once
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>
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

static inline int helio_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// `ppoll` without signals, which glibc hides from Swift; a NULL time waits for ever.
static inline int helio_poll(struct pollfd *polled, unsigned long count, struct timespec *time) {
    return (int)syscall(SYS_ppoll, polled, count, time, NULL, 8);
}
