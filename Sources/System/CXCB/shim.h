// Imports XCB and the extensions used for capture and input, with wrappers of the parts that Swift can't use itself:
// the extensions' mutable globals and SysV shared memory.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
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

/// Returns the server's data about an extension. `present` is 0 if the server does not support it; NULL if the
/// connection is lost.
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

/// Returns 1 if the server has an extension of this name.
static inline int helio_xcb_has(xcb_connection_t *c, const char *name) {
    xcb_query_extension_reply_t *reply =
        xcb_query_extension_reply(c, xcb_query_extension(c, (uint16_t)strlen(name), name), NULL);
    int has = reply && reply->present;
    free(reply);
    return has;
}

/// Suspends or resumes the server's screen saver and power management (MIT-SCREEN-SAVER 1.1, Suspend). The suspension
/// ends with the connection. Returns 0 if the server does not support the extension.
///
/// The request is written here, as the extension's library is not installed on every machine.
static inline int helio_screen_saver_suspend(xcb_connection_t *c, int suspended) {
    static xcb_extension_t saver = {"MIT-SCREEN-SAVER", 0};
    const xcb_query_extension_reply_t *there = xcb_get_extension_data(c, &saver);
    if (!there || !there->present) return 0;
    struct {
        uint8_t major, minor;
        uint16_t length;
        uint32_t suspended;
    } request = {.suspended = suspended ? 1 : 0};
    // libxcb fills in major, minor and length, and needs two unused elements before the first.
    struct iovec parts[4];
    memset(parts, 0, sizeof parts);
    parts[2].iov_base = &request;
    parts[2].iov_len = sizeof request;
    xcb_protocol_request_t protocol = {.count = 2, .ext = &saver, .opcode = 5, .isvoid = 1};
    xcb_send_request(c, 0, parts + 2, &protocol);
    return 1;
}

/// Makes a private SysV shared-memory segment, and maps it. NULL if the system refuses.
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

/// Gives a segment of root's to the user that the X server runs as: others than its owner can't attach it. The log-in
/// screen's server often runs as a user of its own, and the machine's service as root.
static inline void helio_shm_lend(xcb_connection_t *c, int id) {
    // As struct ucred, which the headers have with _GNU_SOURCE alone.
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } server;
    socklen_t length = sizeof server;
    if (geteuid() != 0) return;
    if (getsockopt(xcb_get_file_descriptor(c), SOL_SOCKET, SO_PEERCRED, &server, &length) != 0) return;
    struct shmid_ds status;
    if (server.user == 0 || shmctl(id, IPC_STAT, &status) != 0) return;
    status.shm_perm.uid = server.user;
    shmctl(id, IPC_SET, &status);
}

/// Marks the segment for removal: the system frees it when its last user detaches or crashes.
static inline void helio_shm_forget(int id) { shmctl(id, IPC_RMID, NULL); }
