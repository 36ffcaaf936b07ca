internal import CGTK

/// Widgets in a row or a column.
package final class Box: Widget {
    package enum Direction { case across, down }

    package init(_ direction: Direction, spacing: Int = 0) {
        super.init(
            gtk_box_new(direction == .down ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, Int32(spacing)))
    }

    package func append(_ widget: Widget) { gtk_box_append(cast(), widget.pointer) }

    package func removeAll() {
        while let child = gtk_widget_get_first_child(pointer) { gtk_box_remove(cast(), child) }
    }
}

/// A column of limited width in the middle of the space that it has.
package final class Clamp: Widget {
    package init(_ child: Widget, width: Int = 560) {
        super.init(adw_clamp_new())
        adw_clamp_set_maximum_size(opaque, Int32(width))
        adw_clamp_set_child(opaque, child.pointer)
    }
}

/// A page that scrolls from top to bottom.
package final class Scroll: Widget {
    package init(_ child: Widget) {
        super.init(gtk_scrolled_window_new())
        gtk_scrolled_window_set_policy(opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(opaque, child.pointer)
        grow(across: true, down: true)
    }
}

/// Pages of which one is shown.
package final class Pages: Widget {
    package init() {
        super.init(gtk_stack_new())
        gtk_stack_set_transition_type(opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_stack_set_vhomogeneous(opaque, 0)
    }

    package func add(_ page: Widget, name: String) { gtk_stack_add_named(opaque, page.pointer, name) }
    package func show(_ name: String) { gtk_stack_set_visible_child_name(opaque, name) }

    package func remove(_ name: String) {
        if let page = gtk_stack_get_child_by_name(opaque, name) { gtk_stack_remove(opaque, page) }
    }
}

/// Pages with a switcher in the title bar; in a narrow window the switcher is at the bottom.
package final class ViewStack: Widget {
    package init() { super.init(adw_view_stack_new()) }

    package func add(_ page: Widget, name: String, title: String, icon: String) {
        adw_view_stack_add_titled(opaque, page.pointer, name, title)
        let added = adw_view_stack_get_page(opaque, page.pointer)
        adw_view_stack_page_set_icon_name(added, icon)
    }

    package func show(_ name: String) { adw_view_stack_set_visible_child_name(opaque, name) }

    package var shown: String { adw_view_stack_get_visible_child_name(opaque).map { String(cString: $0) } ?? "" }

    /// Shows a mark at the page's name, such as for a question.
    package func setAttention(_ page: Widget, _ isNeeded: Bool) {
        adw_view_stack_page_set_needs_attention(adw_view_stack_get_page(opaque, page.pointer), isNeeded ? 1 : 0)
    }
}

/// The title bar of a window.
package final class HeaderBar: Widget {
    package init() { super.init(adw_header_bar_new()) }

    package func append(atEnd widget: Widget) { adw_header_bar_pack_end(opaque, widget.pointer) }

    /// Shows a switcher of pages as the title; in a narrow window, `bar` shows it instead.
    package func show(switcherOf stack: ViewStack, title: String, bar: SwitcherBar) {
        guard let switcher = adw_view_switcher_title_new() else { return }
        adw_view_switcher_title_set_stack(OpaquePointer(switcher), stack.opaque)
        adw_view_switcher_title_set_title(OpaquePointer(switcher), title)
        adw_header_bar_set_title_widget(opaque, switcher)
        g_object_bind_property(switcher, "title-visible", bar.pointer, "reveal", G_BINDING_SYNC_CREATE)
    }
}

/// The switcher of pages at the bottom of a narrow window.
package final class SwitcherBar: Widget {
    package init(of stack: ViewStack) {
        super.init(adw_view_switcher_bar_new())
        adw_view_switcher_bar_set_stack(opaque, stack.opaque)
    }
}

/// Short messages at the bottom of a window, over its content.
package final class ToastOverlay: Widget {
    package init(_ child: Widget) {
        super.init(adw_toast_overlay_new())
        adw_toast_overlay_set_child(opaque, child.pointer)
    }

    package func show(_ text: String) {
        guard let toast = adw_toast_new("") else { return }
        // A toast's title is markup.
        let escaped = g_markup_escape_text(text, -1)
        adw_toast_set_title(toast, escaped)
        g_free(escaped)
        adw_toast_overlay_add_toast(opaque, toast)
    }
}
