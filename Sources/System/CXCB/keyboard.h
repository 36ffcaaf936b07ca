// The requests of the X Keyboard Extension that the host needs, and xkbcommon for the meaning of keysyms.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xkbcommon/xkbcommon.h>

/// The reply of XkbGetState (The X Keyboard Extension: Protocol Specification, 16.3.3). Modifiers are masks of the core
/// protocol's eight modifiers.
typedef struct {
    /// The effective modifiers, and the locked modifiers among them.
    uint8_t modifiers, locked;
    /// The effective layout, counted from 0.
    uint8_t group;
} helio_xkb_state;

static inline xcb_extension_t *helio_xkb_extension(void) {
    static xcb_extension_t extension = {"XKEYBOARD", 0};
    return &extension;
}

/// Sends a request of the extension. XCB fills in the request's first four bytes.
static inline unsigned int helio_xkb_send(
    xcb_connection_t *c, uint8_t opcode, void *request, size_t size, int hasReply) {
    struct iovec parts[4] = {{0}};
    parts[2].iov_base = request;
    parts[2].iov_len = size;
    parts[3].iov_len = -size & 3;
    xcb_protocol_request_t protocol = {2, helio_xkb_extension(), opcode, !hasReply};
    return (unsigned)xcb_send_request(c, hasReply ? XCB_REQUEST_CHECKED : 0, parts + 2, &protocol);
}

/// Starts to use the extension, and selects its events for new keymaps, because the server does not send core-protocol
/// events for loaded keymaps to clients of the extension. Returns 0 if the server does not support the extension.
static inline int helio_xkb_begin(xcb_connection_t *c) {
    const xcb_query_extension_reply_t *data = xcb_get_extension_data(c, helio_xkb_extension());
    if (!data || !data->present) return 0;
    struct { uint8_t major, minor; uint16_t length, wanted_major, wanted_minor; } request = {0, 0, 0, 1, 0};
    xcb_generic_error_t *error = NULL;
    uint8_t *reply = xcb_wait_for_reply(c, helio_xkb_send(c, 0, &request, sizeof request, 1), &error);
    int isThere = reply && reply[1];
    free(reply);
    free(error);
    if (!isThere) return 0;
    struct {
        uint8_t major, minor;
        uint16_t length, device, affected, cleared, all, affected_parts, parts;
    } select = {0};
    select.device = 0x100;
    select.affected = 1 << 0 | 1 << 1;
    select.all = 1 << 0;
    select.affected_parts = select.parts = 0xFF;
    helio_xkb_send(c, 1, &select, sizeof select, 0);
    return 1;
}

/// Returns 1 if an event reports another keymap (XkbNewKeyboardNotify, XkbMapNotify). Changes of a single key are
/// excluded, as a core-protocol event reports them, too.
static inline int helio_xkb_is_other_keymap(xcb_connection_t *c, const xcb_generic_event_t *event) {
    const xcb_query_extension_reply_t *data = xcb_get_extension_data(c, helio_xkb_extension());
    const uint8_t *bytes = (const uint8_t *)event;
    if (!data || !data->present || (bytes[0] & 0x7F) != data->first_event) return 0;
    return bytes[1] == 0 || (bytes[1] == 1 && bytes[17] != 1);
}

/// Requests the keyboard's state, and waits for the reply. Returns 0 if there was no reply.
static inline int helio_xkb_get_state(xcb_connection_t *c, helio_xkb_state *state) {
    struct { uint8_t major, minor; uint16_t length, device, pad; } request = {0, 0, 0, 0x100, 0};
    xcb_generic_error_t *error = NULL;
    uint8_t *reply = xcb_wait_for_reply(c, helio_xkb_send(c, 4, &request, sizeof request, 1), &error);
    if (reply) {
        state->modifiers = reply[8];
        state->locked = reply[11];
        state->group = reply[12];
    }
    free(error);
    int isThere = reply != NULL;
    free(reply);
    return isThere;
}

/// Locks the modifiers of `affected` that are also in `locked`, and unlocks the other modifiers of `affected`.
static inline void helio_xkb_lock(xcb_connection_t *c, uint8_t affected, uint8_t locked) {
    struct {
        uint8_t major, minor;
        uint16_t length, device;
        uint8_t affected, locked, lock_group, group, affected_latches, latches, pad, latch_group;
        uint16_t group_latch;
    } request = {0};
    request.device = 0x100;
    request.affected = affected;
    request.locked = locked;
    helio_xkb_send(c, 5, &request, sizeof request, 0);
}
