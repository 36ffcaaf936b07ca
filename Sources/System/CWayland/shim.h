// File descriptors that go over a socket beside its bytes, and memory that is shared by its descriptor. Written in C, because
// control messages need macros that Swift can't call, and glibc hides memfd_create without _GNU_SOURCE.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/// The most descriptors that go with one write, as in libwayland.
enum { HELIO_WAYLAND_DESCRIPTORS = 28 };

union helio_wayland_control {
    char bytes[CMSG_SPACE(HELIO_WAYLAND_DESCRIPTORS * sizeof(int))];
    struct cmsghdr header;
};

/// Sends bytes with up to HELIO_WAYLAND_DESCRIPTORS descriptors, without blocking. Returns the number of bytes sent; -1 and
/// `errno` if none were, nor any descriptor.
static inline long helio_wayland_send(int socket, const uint8_t *bytes, size_t count, const int *descriptors,
                                      size_t descriptor_count) {
    union helio_wayland_control control;
    struct iovec piece = {(void *)bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (descriptor_count > 0) {
        if (descriptor_count > HELIO_WAYLAND_DESCRIPTORS) descriptor_count = HELIO_WAYLAND_DESCRIPTORS;
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    long sent;
    do sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

/// Receives bytes and their descriptors, without blocking. `descriptors` has room for HELIO_WAYLAND_DESCRIPTORS, of which
/// `descriptor_count` are set; they are closed on exec. Returns the number of bytes; 0 at the end; -1 and `errno` for none;
/// -2 if descriptors were lost because there were more, then those received are set all the same.
static inline long helio_wayland_receive(int socket, uint8_t *bytes, size_t room, int *descriptors,
                                         size_t *descriptor_count) {
    union helio_wayland_control control;
    struct iovec piece = {bytes, room};
    struct msghdr message = {0};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    *descriptor_count = 0;
    long received;
    do received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t size = header->cmsg_len - CMSG_LEN(0);
        size_t count = size / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            if (*descriptor_count < HELIO_WAYLAND_DESCRIPTORS) {
                descriptors[(*descriptor_count)++] = descriptor;
            } else {
                (void)close(descriptor);
            }
        }
    }
    return message.msg_flags & MSG_CTRUNC ? -2 : received;
}

/// Makes memory of `size` bytes that can be sent to another process, and that nobody can make smaller: a process that reads
/// what was cut off would be killed. Returns its descriptor; -1 and `errno` for none.
static inline int helio_wayland_memory(const char *name, size_t size) {
    // MFD_CLOEXEC, MFD_ALLOW_SEALING.
    int descriptor = (int)syscall(SYS_memfd_create, name, 1u | 2u);
    if (descriptor < 0) return -1;
    // F_ADD_SEALS; F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW.
    if (ftruncate(descriptor, (off_t)size) == 0 && fcntl(descriptor, 1024 + 9, 1 | 2 | 4) == 0) return descriptor;
    (void)close(descriptor);
    return -1;
}

/// Makes a pipe; both ends are closed on exec, and the read end does not block. Returns 0, or -1 and `errno`.
static inline int helio_wayland_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    return 0;
}
