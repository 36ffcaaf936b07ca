// A guard process that briefly outlives another process, to release the keys that the other process held down in an X
// server.
//
// X itself does not do that: keys that a client has pressed by XTEST stay down when the client is killed. The guard is
// the same program, started again with another name, so it shares neither memory nor files with its parent. It never
// reaches `main`.
#ifndef CKEYGUARD_H
#define CKEYGUARD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The first byte of a message, its type. Each message contains the complete state of its type, so that the next
/// message makes up for a lost one.
enum helio_key_guard_message {
    /// The keys and buttons that are held down: a bit for each of 256 keycodes, then a bit for each of 32 buttons.
    HELIO_KEY_GUARD_HELD = 1,
    /// The original keysyms of keys whose mapping was changed: for each key its keycode, a count, and that many keysyms
    /// of 4 bytes.
    HELIO_KEY_GUARD_MEANINGS = 2,
};

/// The maximum size of a message in bytes.
#define HELIO_KEY_GUARD_SIZE 32768

/// Starts a guard for an X display.
///
/// - Returns: the guard's process ID, and in `socket` the socket for messages; closing it makes the guard release the
///   keys. -1 if there can be no guard, for example because this code is in a loaded library and not in the program
///   itself.
pid_t helio_key_guard_start(const char *display, int *socket);

/// Sends a message to the guard. Never blocks. Returns 0 if the message can't be sent, with the reason in errno.
int helio_key_guard_tell(int socket, const uint8_t *message, size_t size);

/// Kills a guard that is no longer needed, and closes its socket.
void helio_key_guard_stop(pid_t guard, int socket);

#endif
