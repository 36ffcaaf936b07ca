// The system's clocks; file descriptors for poll(), namely wake-ups from another thread and timers; a poll() with a
// time-out in nanoseconds; and thread names.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#else
#include <sys/event.h>
#endif

/// Returns the time of one of the system's clocks, in nanoseconds.
static inline int64_t helio_clock(clockid_t clock) {
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Makes a descriptor that is readable from `helio_wakeup_signal` until `helio_wakeup_take`; -1 if no descriptor is
/// left.
static inline int helio_wakeup_new(void) {
#if defined(__linux__)
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
#else
    int descriptor = kqueue();
    if (descriptor < 0) return -1;
    struct kevent64_s added = {.ident = 1, .filter = EVFILT_USER, .flags = EV_ADD | EV_CLEAR};
    if (kevent64(descriptor, &added, 1, NULL, 0, 0, NULL) == 0) return descriptor;
    (void)close(descriptor);
    return -1;
#endif
}

static inline void helio_wakeup_signal(int descriptor) {
#if defined(__linux__)
    uint64_t one = 1;
    (void)!write(descriptor, &one, sizeof one);
#else
    struct kevent64_s signal = {.ident = 1, .filter = EVFILT_USER, .fflags = NOTE_TRIGGER};
    (void)kevent64(descriptor, &signal, 1, NULL, 0, 0, NULL);
#endif
}

/// Makes the descriptor unreadable again. Returns 1 if it was signalled, else 0.
static inline int helio_wakeup_take(int descriptor) {
#if defined(__linux__)
    uint64_t count;
    return read(descriptor, &count, sizeof count) == sizeof count;
#else
    struct kevent64_s signal;
    struct timespec none = {0, 0};
    return kevent64(descriptor, NULL, 0, &signal, 1, 0, &none) == 1;
#endif
}

/// Makes a descriptor that becomes readable when its alarm expires; -1 if no descriptor is left.
static inline int helio_alarm_new(void) {
#if defined(__linux__)
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
#else
    return kqueue();
#endif
}

/// Sets the alarm, in nanoseconds of `MonotonicClock`'s clock, in place of an earlier alarm.
static inline void helio_alarm_set(int descriptor, int64_t nanoseconds) {
    if (nanoseconds < 1) nanoseconds = 1; // 0 would turn the alarm off
#if defined(__linux__)
    struct itimerspec at = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    (void)timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &at, NULL);
#else
    // NOTE_CRITICAL: not together with other programs' timers, as Darwin does to save power.
    struct timespec now;
    clock_gettime(CLOCK_UPTIME_RAW, &now);
    int64_t left = nanoseconds - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    struct kevent64_s change = {.ident = 1, .filter = EVFILT_TIMER, .flags = EV_ADD | EV_ONESHOT,
                                .fflags = NOTE_NSECONDS | NOTE_CRITICAL, .data = left < 0 ? 0 : left};
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

/// Waits for one of the descriptors, for a signal, or for a time-out in nanoseconds, which is rounded up to
/// milliseconds on Apple's systems; a negative time-out waits for ever. Returns the same values as `poll`.
static inline int helio_poll(struct pollfd *polled, unsigned int count, int64_t nanoseconds) {
#if defined(__linux__)
    // `ppoll` without a signal mask. It is called by its number, as glibc hides it without _GNU_SOURCE.
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, polled, (unsigned long)count, nanoseconds < 0 ? NULL : &time, NULL, 8);
#else
    int64_t left = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
    return poll(polled, count, left > 3600000 ? 3600000 : (int)left);
#endif
}

static inline void helio_descriptor_close(int descriptor) { (void)close(descriptor); }

/// Names the calling thread; Linux keeps the first 15 bytes.
static inline void helio_thread_set_name(const char *name) {
#if defined(__linux__)
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    (void)pthread_setname_np(name);
#endif
}

#if defined(__linux__)
// glibc hides the function without _GNU_SOURCE.
extern int pthread_tryjoin_np(pthread_t thread, void **result);

/// Frees a thread that has ended; returns 0 while the thread is still there.
static inline int helio_thread_take(pthread_t thread) { return pthread_tryjoin_np(thread, NULL) == 0; }
#endif
