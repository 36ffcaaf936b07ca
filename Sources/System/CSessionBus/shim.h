// Sends one D-Bus message that keeps the desktop session from going idle. libdbus is loaded at run time if it is
// installed, so a machine without a desktop does not need it, and the program builds without its headers.
#pragma once
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

/// A private connection to the session bus. The inhibition ends when the connection is closed.
typedef struct {
    void *connection;
    void (*close)(void *);
    void (*unref)(void *);
} helio_session_inhibitor;

/// Connects to the bus at `address` and asks the desktop to stay awake (`org.freedesktop.ScreenSaver.Inhibit`); NULL if
/// there is no such bus. The function does not wait for the desktop's answer, but it blocks until the bus has accepted
/// the connection: call it on a thread that may block.
static inline helio_session_inhibitor *helio_session_inhibit(const char *address, const char *app, const char *reason) {
    void *library = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    void *(*open)(const char *, void *) = (void *(*)(const char *, void *))dlsym(library, "dbus_connection_open_private");
    void (*quiet)(void *, uint32_t) = (void (*)(void *, uint32_t))dlsym(library, "dbus_connection_set_exit_on_disconnect");
    uint32_t (*enlist)(void *, void *) = (uint32_t(*)(void *, void *))dlsym(library, "dbus_bus_register");
    void *(*call)(const char *, const char *, const char *, const char *) =
        (void *(*)(const char *, const char *, const char *, const char *))dlsym(library, "dbus_message_new_method_call");
    void (*wake)(void *, uint32_t) = (void (*)(void *, uint32_t))dlsym(library, "dbus_message_set_auto_start");
    uint32_t (*append)(void *, int, ...) = (uint32_t(*)(void *, int, ...))dlsym(library, "dbus_message_append_args");
    uint32_t (*send)(void *, void *, uint32_t *) =
        (uint32_t(*)(void *, void *, uint32_t *))dlsym(library, "dbus_connection_send");
    void (*flush)(void *) = (void (*)(void *))dlsym(library, "dbus_connection_flush");
    void (*forget)(void *) = (void (*)(void *))dlsym(library, "dbus_message_unref");
    void (*close)(void *) = (void (*)(void *))dlsym(library, "dbus_connection_close");
    void (*unref)(void *) = (void (*)(void *))dlsym(library, "dbus_connection_unref");
    if (!open || !quiet || !enlist || !call || !wake || !append || !send || !flush || !forget || !close || !unref)
        return NULL;

    void *connection = open(address, NULL);
    if (!connection) return NULL;
    quiet(connection, 0);
    const char *name = "org.freedesktop.ScreenSaver";
    void *message = enlist(connection, NULL) ? call(name, "/org/freedesktop/ScreenSaver", name, "Inhibit") : NULL;
    helio_session_inhibitor *inhibitor = message ? (helio_session_inhibitor *)malloc(sizeof *inhibitor) : NULL;
    int isSent = 0;
    if (inhibitor) {
        // Don't start the service: a service that does not run has nothing to inhibit.
        wake(message, 0);
        // 's' is DBUS_TYPE_STRING, 0 DBUS_TYPE_INVALID.
        isSent = append(message, 's', &app, 's', &reason, 0) && send(connection, message, NULL);
        if (isSent) flush(connection);
    }
    if (message) forget(message);
    if (!isSent) {
        free(inhibitor);
        close(connection);
        unref(connection);
        return NULL;
    }
    inhibitor->connection = connection;
    inhibitor->close = close;
    inhibitor->unref = unref;
    return inhibitor;
}

/// Ends the inhibition, and frees the inhibitor.
static inline void helio_session_release(helio_session_inhibitor *inhibitor) {
    if (!inhibitor) return;
    inhibitor->close(inhibitor->connection);
    inhibitor->unref(inhibitor->connection);
    free(inhibitor);
}
