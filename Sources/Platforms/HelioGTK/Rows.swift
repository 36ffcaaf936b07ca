internal import CGTK

/// A titled group of rows.
package final class Group: Widget {
    package init(_ title: String = "", description: String = "") {
        super.init(adw_preferences_group_new())
        if !title.isEmpty { Self.escaped(title) { adw_preferences_group_set_title(cast(), $0) } }
        if !description.isEmpty { Self.escaped(description) { adw_preferences_group_set_description(cast(), $0) } }
    }

    package func append(_ widget: Widget) { adw_preferences_group_add(cast(), widget.pointer) }
    package func remove(_ widget: Widget) { adw_preferences_group_remove(cast(), widget.pointer) }
    package func setHeader(_ widget: Widget) { adw_preferences_group_set_header_suffix(cast(), widget.pointer) }

    /// Titles of groups are markup.
    static func escaped(_ text: String, _ body: (UnsafePointer<CChar>) -> Void) {
        guard let escaped = g_markup_escape_text(text, -1) else { return }
        body(escaped)
        g_free(escaped)
    }
}

/// A row with a title, a detail below it, and controls at its ends.
package final class Row: Widget {
    package init(_ title: String, detail: String = "") {
        super.init(adw_action_row_new())
        adw_preferences_row_set_use_markup(cast(), 0)
        adw_preferences_row_set_title(cast(), title)
        adw_action_row_set_title_lines(cast(), 0)
        self.detail = detail
        adw_action_row_set_subtitle(cast(), detail)
    }

    package var title: String {
        get { String(cString: adw_preferences_row_get_title(cast())) }
        set { if newValue != title { adw_preferences_row_set_title(cast(), newValue) } }
    }

    package var detail = "" {
        didSet { if detail != oldValue { adw_action_row_set_subtitle(cast(), detail) } }
    }

    /// Shows the detail in one line, cut at the end.
    package func setOneLine() { adw_action_row_set_subtitle_lines(cast(), 1) }
    package func append(_ widget: Widget) { adw_action_row_add_suffix(cast(), widget.pointer) }
    package func prepend(_ widget: Widget) { adw_action_row_add_prefix(cast(), widget.pointer) }

    /// Has a click or Enter on the row press the widget.
    package func setActivatable(_ widget: Widget) { adw_action_row_set_activatable_widget(cast(), widget.pointer) }

    /// Calls a closure on a click or Enter.
    package func onActivate(_ press: @escaping () -> Void) {
        gtk_list_box_row_set_activatable(cast(), 1)
        on("activated", press)
    }
}

/// True while a widget's value is set by its owner, which is no change by the user. The signal's closure owns it, so the
/// user is heard even if nobody keeps the widget's object.
@MainActor
private final class Setting {
    var isInProgress = false

    func set(_ body: () -> Void) {
        let before = isInProgress
        isInProgress = true
        body()
        isInProgress = before
    }
}

/// A row with a text field.
package final class EntryRow: Widget {
    private let setting = Setting()

    /// - Parameters:
    ///   - change: called with the text when the user has changed it.
    ///   - enter: called when the user presses Enter.
    package init(
        _ title: String, text: String = "", isSecret: Bool = false, change: @escaping (String) -> Void,
        enter: @escaping () -> Void = {}
    ) {
        super.init(isSecret ? adw_password_entry_row_new() : adw_entry_row_new())
        adw_preferences_row_set_use_markup(cast(), 0)
        adw_preferences_row_set_title(cast(), title)
        self.text = text
        let own = opaque
        on("changed") { [setting] in
            if !setting.isInProgress { change(String(cString: gtk_editable_get_text(own))) }
        }
        on("entry-activated", enter)
    }

    package var text: String {
        get { String(cString: gtk_editable_get_text(opaque)) }
        set {
            guard newValue != text else { return }
            setting.set {
                gtk_editable_set_text(opaque, newValue)
                gtk_editable_set_position(opaque, -1)
            }
        }
    }

    package func append(_ widget: Widget) { adw_entry_row_add_suffix(cast(), widget.pointer) }
}

/// A row that chooses one of several texts.
package final class ChoiceRow: Widget {
    private let setting = Setting()

    package init(_ title: String, choose: @escaping (Int) -> Void) {
        super.init(adw_combo_row_new())
        adw_preferences_row_set_use_markup(cast(), 0)
        adw_preferences_row_set_title(cast(), title)
        let own: UnsafeMutablePointer<AdwComboRow> = cast()
        on("notify::selected") { [setting] in
            if !setting.isInProgress { choose(Int(adw_combo_row_get_selected(own))) }
        }
    }

    package func set(_ choices: [String], selected: Int) {
        setting.set {
            let list = gtk_string_list_new(nil)
            for choice in choices { gtk_string_list_append(list, choice) }
            adw_combo_row_set_model(cast(), list)
            if let list { g_object_unref(UnsafeMutableRawPointer(list)) }
            adw_combo_row_set_selected(cast(), UInt32(selected))
        }
    }
}
