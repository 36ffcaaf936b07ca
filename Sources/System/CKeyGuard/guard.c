#define _GNU_SOURCE
#include "CKeyGuard.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

/// The value of argv[0] that makes the program become a guard.
static const char guard_name[] = "heliograph-key-guard";
/// The descriptor of the guard's message socket.
enum { MESSAGES = 3 };

// MARK: The guard

struct state {
    uint8_t keys[32];
    uint8_t buttons[4];
    /// The size of `meanings` in bytes.
    size_t meanings_size;
    uint8_t meanings[HELIO_KEY_GUARD_SIZE];
};

static void take(struct state *state, const uint8_t *message, size_t size) {
    if (message[0] == HELIO_KEY_GUARD_HELD && size == 1 + sizeof state->keys + sizeof state->buttons) {
        memcpy(state->keys, message + 1, sizeof state->keys);
        memcpy(state->buttons, message + 1 + sizeof state->keys, sizeof state->buttons);
    } else if (message[0] == HELIO_KEY_GUARD_MEANINGS) {
        state->meanings_size = size - 1;
        memcpy(state->meanings, message + 1, size - 1);
    }
}

static void let_go(xcb_connection_t *x, xcb_window_t root, const struct state *state) {
    for (int key = 0; key < 256; key++)
        if (state->keys[key / 8] >> key % 8 & 1) xcb_test_fake_input(x, XCB_KEY_RELEASE, (uint8_t)key, 0, root, 0, 0, 0);
    for (int button = 0; button < 32; button++)
        if (state->buttons[button / 8] >> button % 8 & 1)
            xcb_test_fake_input(x, XCB_BUTTON_RELEASE, (uint8_t)button, 0, root, 0, 0, 0);
    for (size_t at = 0; at + 2 <= state->meanings_size;) {
        xcb_keysym_t keysyms[255];
        const uint8_t key = state->meanings[at], count = state->meanings[at + 1];
        const size_t size = count * sizeof *keysyms;
        if (size == 0 || at + 2 + size > state->meanings_size) break;
        memcpy(keysyms, state->meanings + at + 2, size);
        xcb_change_keyboard_mapping(x, 1, key, count, keysyms);
        at += 2 + size;
    }
    // Wait for a reply, since the server drops the unprocessed requests of a client that disconnects.
    free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), NULL));
}

/// Releases the memory of a library's code and constants, which the system reads from the file again when they are
/// used. Most of them belong to libraries that the guard does not need, and were read by the dynamic linker.
static int give_back(struct dl_phdr_info *library, size_t size, void *unused) {
    const uintptr_t page = getauxval(AT_PAGESZ);
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        // Skip writable segments, whose changes would be lost.
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        const uintptr_t start = library->dlpi_addr + part->p_vaddr;
        const uintptr_t first = start / page * page, end = (start + part->p_memsz + page - 1) / page * page;
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
    return 0;
}

/// Runs the guard until the process that started it has ended, then releases the keys.
static int guard(void) {
    static struct state state;
    static uint8_t message[HELIO_KEY_GUARD_SIZE];
    prctl(PR_SET_NAME, guard_name);
    // Ignore all signals: a signal that a terminal or a service manager sends to end the other process must not end the
    // guard, too.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    if (chdir("/") != 0) return 1;
    int preferred = 0;
    xcb_connection_t *x = xcb_connect(NULL, &preferred);
    if (xcb_connection_has_error(x)) return 1;
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(x));
    for (; preferred > 0 && screens.rem > 1; preferred--) xcb_screen_next(&screens);
    const xcb_window_t root = screens.data->root;
    // XTEST requests must be executed even while a window manager has grabbed the server, as it may wait for the
    // release of a key or button.
    xcb_test_grab_control(x, 1);
    dl_iterate_phdr(give_back, NULL);
    struct pollfd polled[2] = {
        {.fd = MESSAGES, .events = POLLIN},
        {.fd = xcb_get_file_descriptor(x), .events = POLLIN},
    };
    for (;;) {
        if (poll(polled, 2, -1) < 0 && errno != EINTR) return 1;
        if (polled[1].revents) {
            // Discard the events that every client receives, so that they do not accumulate.
            for (xcb_generic_event_t *event; (event = xcb_poll_for_event(x));) free(event);
            if (xcb_connection_has_error(x)) return 1;
        }
        if (!polled[0].revents) continue;
        const ssize_t size = recv(MESSAGES, message, sizeof message, MSG_DONTWAIT);
        if (size > 0) take(&state, message, (size_t)size);
        else if (size == 0 || (errno != EINTR && errno != EAGAIN)) break;
    }
    let_go(x, root, &state);
    return 0;
}

/// Runs before `main`. glibc passes the program's arguments to constructors.
__attribute__((constructor)) static void become_guard(int argc, char **argv) {
    if (argc > 0 && argv && argv[0] && strcmp(argv[0], guard_name) == 0) _exit(guard());
}

// MARK: The process that starts a guard

/// Returns 1 if this code is part of the program's executable. In a library that is loaded later, a new process of the
/// same program would not run it.
static int is_in_program(void) {
    Dl_info here, program;
    const void *headers = (const void *)getauxval(AT_PHDR);
    return headers && dladdr((const void *)&guard_name, &here) && dladdr(headers, &program) &&
           here.dli_fbase == program.dli_fbase;
}

pid_t helio_key_guard_start(const char *display, int *socket) {
    int ends[2];
    if (!is_in_program() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    // The guard needs only the variables for the display and its own libraries.
    static const char *const names[] = {"XAUTHORITY", "HOME", "LD_LIBRARY_PATH"};
    char *environment[5] = {NULL};
    int count = 0, failed = 0;
    failed |= asprintf(&environment[count++], "DISPLAY=%s", display) < 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value) failed |= asprintf(&environment[count++], "%s=%s", names[i], value) < 0;
    }
    char *arguments[] = {(char *)guard_name, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    failed |= posix_spawn_file_actions_adddup2(&files, ends[1], MESSAGES);
    for (int number = 0; number < MESSAGES; number++)
        failed |= posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_RDWR, 0);
    failed |= posix_spawn_file_actions_addclosefrom_np(&files, MESSAGES + 1);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    failed |= posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t pid = -1;
    if (failed || posix_spawn(&pid, "/proc/self/exe", &files, &attributes, arguments, environment) != 0) pid = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    for (int i = 0; i < count; i++) free(environment[i]);
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    else *socket = ends[0];
    return pid;
}

int helio_key_guard_tell(int socket, const uint8_t *message, size_t size) {
    return send(socket, message, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

void helio_key_guard_stop(pid_t guard, int socket) {
    kill(guard, SIGKILL);
    while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {}
    close(socket);
}

#else

pid_t helio_key_guard_start(const char *display, int *socket) { return -1; }
int helio_key_guard_tell(int socket, const uint8_t *message, size_t size) { return 0; }
void helio_key_guard_stop(pid_t guard, int socket) {}

#endif
