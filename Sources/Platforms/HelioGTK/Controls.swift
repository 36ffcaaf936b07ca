internal import CGTK

/// A text.
package final class Label: Widget {
    package init(_ text: String, wraps: Bool = true) {
        super.init(gtk_label_new(text))
        if wraps {
            gtk_label_set_wrap(opaque, 1)
            gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        }
        gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER)
    }

    package var text: String {
        get { String(cString: gtk_label_get_text(opaque)) }
        set { if newValue != text { gtk_label_set_text(opaque, newValue) } }
    }

    /// Aligns the lines at the start, and lets users select and copy the text.
    package func setSelectable() {
        gtk_label_set_selectable(opaque, 1)
        gtk_label_set_justify(opaque, GTK_JUSTIFY_LEFT)
        gtk_label_set_xalign(opaque, 0)
    }
}

/// A button with a text or an icon.
package final class Button: Widget {
    package init(_ text: String, press: @escaping () -> Void) {
        super.init(gtk_button_new_with_label(text))
        on("clicked", press)
    }

    /// - Parameter name: said by screen readers, and shown as the tooltip.
    package init(icon: String, name: String, press: @escaping () -> Void) {
        super.init(gtk_button_new_from_icon_name(icon))
        setName(name)
        setTooltip(name)
        on("clicked", press)
    }

    package func setText(_ text: String) { gtk_button_set_label(cast(), text) }
}

/// A switch. What its owner sets is no change by the user.
package final class Switch: Widget {
    /// The state that was last set or told. The signal's closure owns it, so the user is heard even if nobody keeps this
    /// object.
    @MainActor
    private final class Shown {
        var isOn: Bool
        init(_ isOn: Bool) { self.isOn = isOn }
    }

    private let shown: Shown

    package init(isOn: Bool, change: @escaping (Bool) -> Void) {
        let shown = Shown(isOn)
        self.shown = shown
        super.init(gtk_switch_new())
        gtk_switch_set_active(opaque, isOn ? 1 : 0)
        place(down: .center)
        let own = opaque
        on("notify::active") {
            let isOn = gtk_switch_get_active(own) != 0
            guard isOn != shown.isOn else { return }
            shown.isOn = isOn
            change(isOn)
        }
    }

    package var isOn: Bool {
        get { shown.isOn }
        set {
            shown.isOn = newValue
            if newValue != (gtk_switch_get_active(opaque) != 0) { gtk_switch_set_active(opaque, newValue ? 1 : 0) }
        }
    }
}

/// A sign that something is in progress.
package final class Spinner: Widget {
    package init(size: Int = 32) {
        super.init(gtk_spinner_new())
        gtk_widget_set_size_request(pointer, Int32(size), Int32(size))
        gtk_spinner_start(opaque)
    }
}

/// An icon of the theme.
package final class Icon: Widget {
    package init(_ name: String, size: Int = 16) {
        super.init(gtk_image_new_from_icon_name(name))
        gtk_image_set_pixel_size(opaque, Int32(size))
    }
}

/// A page with an icon, a title and a description, for a state without content.
package final class StatusPage: Widget {
    package init(icon: String, title: String, description: String = "", child: Widget? = nil) {
        super.init(adw_status_page_new())
        adw_status_page_set_icon_name(opaque, icon)
        if let child { adw_status_page_set_child(opaque, child.pointer) }
        set(title: title, description: description)
        grow(across: true, down: true)
    }

    package func set(title: String, description: String) {
        adw_status_page_set_title(opaque, title)
        // The description is markup.
        let escaped = g_markup_escape_text(description, -1)
        adw_status_page_set_description(opaque, escaped)
        g_free(escaped)
    }
}
