// GTK 4 and libadwaita, with what Swift can't say: casts of callbacks, macros, and libdispatch's hooks for event loops.
#pragma once

// These macros keep GLib's and Graphene's headers from including the compiler's vector headers, which are not needed.
#define GRAPHENE_DISABLE_SIMD 1
#include <adwaita.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdint.h>
#include <sys/eventfd.h>

/// The descriptor that is readable while blocks wait on libdispatch's main queue, and the function that runs them. They
/// are exported by libdispatch for other event loops, such as Core Foundation's, but declared in no header.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *unused);

/// Calls `call` with `data` at each emission of a signal without return value, whatever the signal's arguments are;
/// `free` is called with `data` when the object is gone.
static inline void helio_gtk_connect(
    void *object, const char *signal, void (*call)(void *), void *data, void (*free)(void *)) {
    // Swapped, `data` is the callback's first argument, and the others may be ignored.
    g_signal_connect_data(object, signal, G_CALLBACK(call), data, (GClosureNotify)(void (*)(void))free, G_CONNECT_SWAPPED);
}

/// The same for a signal that asks whether it is handled.
static inline void helio_gtk_connect_question(
    void *object, const char *signal, gboolean (*call)(void *), void *data, void (*free)(void *)) {
    g_signal_connect_data(object, signal, G_CALLBACK(call), data, (GClosureNotify)(void (*)(void))free, G_CONNECT_SWAPPED);
}

/// Calls `call` with `data` in the main loop at each arrival of a signal that asks the process to end.
static inline void helio_gtk_catch(int number, gboolean (*call)(void *), void *data) {
    g_unix_signal_add(number, call, data);
}

/// Sets the name that screen readers say for a widget.
static inline void helio_gtk_set_label(GtkWidget *widget, const char *label) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/// Runs the main queue's waiting blocks, if there are any.
static inline void helio_gtk_drain(int descriptor) {
    eventfd_t count;
    (void)eventfd_read(descriptor, &count);
    _dispatch_main_queue_callback_4CF(NULL);
}

static inline gboolean helio_gtk_drained(int descriptor, GIOCondition condition, void *unused) {
    (void)condition;
    (void)unused;
    helio_gtk_drain(descriptor);
    return G_SOURCE_CONTINUE;
}

/// Has GLib's default main context run the blocks of libdispatch's main queue, and so Swift's main actor. Call it once,
/// on the main thread.
static inline void helio_gtk_join_main_queue(void) {
    g_unix_fd_add(_dispatch_get_main_queue_handle_4CF(), G_IO_IN, helio_gtk_drained, NULL);
}
