// Sends several datagrams in one system call. Written in C, because control messages need macros that Swift can't call.
#pragma once
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/// Sends `count` bytes to one address (a `sockaddr`) as datagrams of `segment` bytes, the last of which may be shorter.
/// Uses one call with UDP GSO on Linux. Never blocks.
///
/// Returns the number of datagrams that the system refused.
static inline int helio_send_datagrams(int descriptor, const void *to, size_t to_size, const uint8_t *bytes,
                                       size_t count, size_t segment) {
#if defined(__linux__)
    if (count > segment) {
        union {
            char bytes[CMSG_SPACE(sizeof(uint16_t))];
            struct cmsghdr header;
        } control = {{0}};
        struct iovec piece = {(void *)bytes, count};
        struct msghdr message = {0};
        message.msg_name = (void *)to;
        message.msg_namelen = (socklen_t)to_size;
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        // SOL_UDP and UDP_SEGMENT, as numbers to avoid headers that other modules include, too.
        header->cmsg_level = 17;
        header->cmsg_type = 103;
        header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
        uint16_t size = (uint16_t)segment;
        memcpy(CMSG_DATA(header), &size, sizeof size);
        if (sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return 0;
        // GSO is not supported by every device and path, so send the datagrams one by one.
    }
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
    const int flags = MSG_DONTWAIT;
#endif
    int lost = 0;
    for (size_t at = 0; at < count; at += segment) {
        size_t size = count - at < segment ? count - at : segment;
        if (sendto(descriptor, bytes + at, size, flags, to, (socklen_t)to_size) < 0) lost++;
    }
    return lost;
}

/// An instruction of a classic BPF program, which the kernel runs for each datagram. `helio_filter` is the program, the
/// value of `SO_ATTACH_FILTER`.
struct helio_filter_step {
    uint16_t code;
    uint8_t skip_true, skip_false;
    uint32_t value;
};
struct helio_filter {
    uint16_t count;
    /// The address of the first instruction.
    uintptr_t steps;
};

#if defined(__linux__)
enum { helio_filter_option = SO_ATTACH_FILTER, helio_memory_option = SO_MEMINFO };
#endif
