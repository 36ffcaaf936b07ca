internal import CGTK

/// A window of the app.
package final class Window: Widget {
    package init(of app: Application, title: String, width: Int, height: Int) {
        super.init(adw_application_window_new(app.pointer))
        gtk_window_set_title(cast(), title)
        gtk_window_set_default_size(cast(), Int32(width), Int32(height))
        gtk_widget_set_size_request(pointer, 360, 400)
    }

    package func setContent(_ widget: Widget) { adw_application_window_set_content(cast(), widget.pointer) }
    package func hide() { gtk_widget_set_visible(pointer, 0) }
    package func present() { gtk_window_present(cast()) }
    /// Keeps the window in front of another one.
    package func setOwner(_ owner: Window) { gtk_window_set_transient_for(cast(), owner.cast()) }
    package func destroy() { gtk_window_destroy(cast()) }
    package var isActive: Bool { gtk_window_is_active(cast()) != 0 }
    package func setIcon(_ name: String) { gtk_window_set_icon_name(cast(), name) }

    /// Asks a closure when the user closes the window; true keeps it open.
    package func onClose(_ keepsOpen: @escaping () -> Bool) {
        QuestionBox.connect(pointer, "close-request", keepsOpen)
    }

    /// Puts a text on the clipboard.
    package func copy(_ text: String) { gdk_clipboard_set_text(gtk_widget_get_clipboard(pointer), text) }
}

/// A question over a window, with two answers.
@MainActor
package enum Question {
    /// - Parameter confirm: called if the user presses the second button, which is the dangerous one.
    package static func ask(
        over window: Window, title: String, text: String, cancel: String, confirm label: String,
        confirm: @escaping () -> Void
    ) {
        guard let dialog = adw_message_dialog_new(window.cast(), title, text) else { return }
        let raw = UnsafeMutableRawPointer(dialog)
        let message = raw.assumingMemoryBound(to: AdwMessageDialog.self)
        adw_message_dialog_add_response(message, "cancel", cancel)
        adw_message_dialog_add_response(message, "confirm", label)
        adw_message_dialog_set_response_appearance(message, "confirm", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_default_response(message, "cancel")
        adw_message_dialog_set_close_response(message, "cancel")
        SignalBox.connect(raw, "response::confirm", confirm)
        gtk_window_present(raw.assumingMemoryBound(to: GtkWindow.self))
    }
}
