// The part of Darwin's <sys/event.h> that the C shims use, for script/check-darwin.
#pragma once
#include <stdint.h>
#include <time.h>

struct kevent64_s {
    uint64_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    int64_t data;
    uint64_t udata;
    uint64_t ext[2];
};

#define EVFILT_TIMER (-7)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_ONESHOT 0x0010
#define EV_CLEAR 0x0020
#define NOTE_NSECONDS 0x00000004
#define NOTE_CRITICAL 0x00000020
#define NOTE_TRIGGER 0x01000000

int kqueue(void);
int kevent64(int kq, const struct kevent64_s *changes, int count, struct kevent64_s *events, int room, unsigned int flags,
             const struct timespec *timeout);

// Of <time.h> and <pthread.h>, as Darwin has them.
#define CLOCK_UPTIME_RAW 8
int pthread_setname_np(const char *name);
