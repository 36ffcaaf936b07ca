internal import CGTK
// Linked for its main queue, which the loop drains.
private import Dispatch
private import Glibc

/// The program as the desktop knows it: one instance for each session bus, with notifications and actions.
///
/// Its loop is GLib's, which runs Swift's main actor as well: blocks of the main queue are run between events.
@MainActor
package final class Application {
    let pointer: UnsafeMutablePointer<GtkApplication>

    /// - Parameter id: the name on the session bus, which is that of the .desktop file as well.
    package init(id: String) {
        let app = adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS)
        pointer = UnsafeMutableRawPointer(app!).assumingMemoryBound(to: GtkApplication.self)
    }

    isolated deinit { g_object_unref(pointer) }

    private var base: UnsafeMutablePointer<GApplication> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GApplication.self)
    }

    /// Called in the first instance, at its start and at each later start of the program.
    package func onActivate(_ call: @escaping () -> Void) { SignalBox.connect(pointer, "activate", call) }

    /// Runs until ``quit()``, or until the last window is closed. Returns the program's exit status.
    package func run() -> Int32 {
        helio_gtk_join_main_queue()
        return g_application_run(base, 0, nil)
    }

    /// Calls a closure in place of ending, when the process is asked to end: at the end of the desktop's session, or in a
    /// terminal. A further request ends it at once.
    package func onTerminate(_ call: @escaping () -> Void) {
        let box = Unmanaged.passRetained(TerminationBox(call))
        for number in [SIGTERM, SIGINT, SIGHUP] {
            // GLib restores the signal's default effect when the source is removed, which the closure's 0 does.
            helio_gtk_catch(number, { TerminationBox.call($0) }, box.toOpaque())
        }
    }

    package func quit() { g_application_quit(base) }

    /// Adds an action that notifications and keys trigger by its name, `app.NAME`.
    package func addAction(_ name: String, keys: [String] = [], _ call: @escaping () -> Void) {
        guard let action = g_simple_action_new(name, nil) else { return }
        SignalBox.connect(UnsafeMutableRawPointer(action), "activate", call)
        g_action_map_add_action(OpaquePointer(pointer), action)
        g_object_unref(UnsafeMutableRawPointer(action))
        guard !keys.isEmpty else { return }
        var names: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(g_strdup($0)) } + [nil]
        gtk_application_set_accels_for_action(pointer, "app.\(name)", &names)
        for name in names { g_free(UnsafeMutableRawPointer(mutating: name)) }
    }

    /// Shows a notification of the desktop.
    ///
    /// - Parameters:
    ///   - id: a later notification with the same identifier replaces this one.
    ///   - buttons: texts, with the names of the actions that they trigger.
    package func notify(id: String, title: String, text: String, buttons: [(text: String, action: String)] = []) {
        guard let note = g_notification_new(title) else { return }
        g_notification_set_body(note, text)
        for button in buttons { g_notification_add_button(note, button.text, "app.\(button.action)") }
        g_notification_set_default_action(note, "app.show")
        g_application_send_notification(base, id, note)
        g_object_unref(UnsafeMutableRawPointer(note))
    }

    package func withdraw(id: String) { g_application_withdraw_notification(base, id) }

    /// Adds rules to the style of all windows, for light and dark.
    package func addStyle(light: String, dark: String) {
        guard let display = gdk_display_get_default(), let manager = adw_style_manager_get_default() else { return }
        let provider = gtk_css_provider_new()!
        let load = {
            gtk_css_provider_load_from_data(provider, adw_style_manager_get_dark(manager) != 0 ? dark : light, -1)
        }
        load()
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        SignalBox.connect(UnsafeMutableRawPointer(manager), "notify::dark", load)
    }

    /// Adds a folder of icons, in the layout of an icon theme.
    package func addIcons(folder: String) {
        guard let display = gdk_display_get_default() else { return }
        gtk_icon_theme_add_search_path(gtk_icon_theme_get_for_display(display), folder)
    }
}

/// A closure as the data of sources for signals; it lives as long as the process.
@MainActor
private final class TerminationBox {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    nonisolated static func call(_ data: UnsafeMutableRawPointer?) -> gboolean {
        guard let data else { return 0 }
        let box = Unmanaged<TerminationBox>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { box.body() }
        return 0
    }
}
