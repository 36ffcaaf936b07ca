// A process that outlives another one for a moment, to let go of the keys that it held down in an X server.
//
// X knows no such thing: what a client has pressed by XTEST stays down when the client is killed. The guard is this same
// program, started anew under a name of its own, so that it shares neither memory nor files with who started it; it
// never comes as far as `main`.
#ifndef CKEYGUARD_H
#define CKEYGUARD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What a message begins with. Each tells all there is of its kind, so that one that gets lost is made good by the next.
enum helio_key_guard_message {
    /// A bit for each of 256 keycodes, then a bit for each of 32 buttons: what is held down.
    HELIO_KEY_GUARD_HELD = 1,
    /// Keys whose meaning was changed: keycode, count, and as many keysyms of 4 bytes, which are the old meaning.
    HELIO_KEY_GUARD_MEANINGS = 2,
};

/// The longest message.
#define HELIO_KEY_GUARD_SIZE 32768

/// Starts a guard for an X display.
///
/// - Returns: its process, and in `socket` where messages go, to be closed when all is let go of; -1 where there can be
///   none: this code is not part of the program itself but of a library that was loaded into it.
pid_t helio_key_guard_start(const char *display, int *socket);

/// Never waits; 0 if the message is not on its way, and errno says why.
int helio_key_guard_tell(int socket, const uint8_t *message, size_t size);

/// Ends a guard that has nothing left to do.
void helio_key_guard_stop(pid_t guard, int socket);

#endif
