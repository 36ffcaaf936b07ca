internal import CGTK

/// A widget of GTK. It holds a reference, so a widget that was removed from its parent can be added again.
@MainActor
package class Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>

    /// Takes a new widget, whose reference is floating.
    init(_ new: UnsafeMutablePointer<GtkWidget>) {
        pointer = new
        g_object_ref_sink(new)
    }

    isolated deinit { g_object_unref(pointer) }

    /// The widget as a pointer to another of its types.
    func cast<Type>(to type: Type.Type = Type.self) -> UnsafeMutablePointer<Type> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }

    /// The widget as a pointer to one of its types whose structure is private.
    var opaque: OpaquePointer { OpaquePointer(pointer) }

    /// Calls a closure at each emission of a signal; see `SignalBox`.
    func on(_ signal: String, _ call: @escaping () -> Void) { SignalBox.connect(pointer, signal, call) }

    package var isVisible: Bool {
        get { gtk_widget_get_visible(pointer) != 0 }
        set { if newValue != isVisible { gtk_widget_set_visible(pointer, newValue ? 1 : 0) } }
    }

    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(pointer) != 0 }
        set { if newValue != isSensitive { gtk_widget_set_sensitive(pointer, newValue ? 1 : 0) } }
    }

    /// The name that screen readers say, where the widget has no text that names it.
    package func setName(_ name: String) { helio_gtk_set_label(pointer, name) }
    package func setTooltip(_ text: String) { gtk_widget_set_tooltip_text(pointer, text) }
    /// Adds a style class of libadwaita, such as `pill` or `suggested-action`.
    package func add(style name: String) { gtk_widget_add_css_class(pointer, name) }
    package func remove(style name: String) { gtk_widget_remove_css_class(pointer, name) }

    /// Sets the space around the widget, in pixels.
    package func setMargins(top: Int = 0, bottom: Int = 0, sides: Int = 0) {
        gtk_widget_set_margin_top(pointer, Int32(top))
        gtk_widget_set_margin_bottom(pointer, Int32(bottom))
        gtk_widget_set_margin_start(pointer, Int32(sides))
        gtk_widget_set_margin_end(pointer, Int32(sides))
    }

    /// Has the widget take the space that is left in its box.
    package func grow(across: Bool = false, down: Bool = false) {
        if across { gtk_widget_set_hexpand(pointer, 1) }
        if down { gtk_widget_set_vexpand(pointer, 1) }
    }

    /// The place of the widget in the space that it has.
    package enum Place { case fill, start, center, end }

    package func place(across: Place = .fill, down: Place = .fill) {
        gtk_widget_set_halign(pointer, Self.align(across))
        gtk_widget_set_valign(pointer, Self.align(down))
    }

    package func focus() { gtk_widget_grab_focus(pointer) }

    private static func align(_ place: Place) -> GtkAlign {
        switch place {
        case .fill: GTK_ALIGN_FILL
        case .start: GTK_ALIGN_START
        case .center: GTK_ALIGN_CENTER
        case .end: GTK_ALIGN_END
        }
    }
}
