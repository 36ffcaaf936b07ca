// A clock's alarm as a descriptor, for poll(): setting it wakes nobody before its time, unlike a pipe.
#pragma once
#include <stdint.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/timerfd.h>
#else
#include <sys/event.h>
#include <time.h>
#endif

/// A descriptor that is not readable until an alarm has passed; -1 where none is left.
static inline int helio_alarm_new(void) {
#if defined(__linux__)
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
#else
    return kqueue();
#endif
}

/// Sets the one alarm that there is, in nanoseconds of the monotonic clock, in place of an earlier one.
static inline void helio_alarm_set(int descriptor, int64_t nanoseconds) {
    if (nanoseconds < 1) nanoseconds = 1; // 0 would turn it off
#if defined(__linux__)
    struct itimerspec at = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    (void)timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &at, NULL);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = nanoseconds - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    struct kevent64_s change = {.ident = 1, .filter = EVFILT_TIMER, .flags = EV_ADD | EV_ONESHOT,
                                .fflags = NOTE_NSECONDS, .data = left < 0 ? 0 : left};
    (void)kevent64(descriptor, &change, 1, NULL, 0, 0, NULL);
#endif
}

/// Makes the descriptor unreadable again.
static inline void helio_alarm_take(int descriptor) {
#if defined(__linux__)
    uint64_t count;
    (void)!read(descriptor, &count, sizeof count);
#else
    struct kevent64_s passed;
    struct timespec none = {0, 0};
    (void)kevent64(descriptor, NULL, 0, &passed, 1, 0, &none);
#endif
}

static inline void helio_alarm_close(int descriptor) { (void)close(descriptor); }
