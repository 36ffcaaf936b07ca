internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// Draws any screen, from top to bottom. A change of values alone keeps the widgets, and with them the focus.
@MainActor
final class ScreenView<Model: ScreenModel> {
    typealias Element = ScreenElement<Model.Action, Model.Field>

    let widget: Widget
    private let words: DesktopWords
    private let driver: ScreenDriver<Model>
    private let title = Label("")
    private let message = Label("")
    private let spinner = Spinner()
    private let content = Box(.down, spacing: 18)
    private var shape: [Element] = []
    private var updates: [(Element) -> Void] = []
    private var screen: DrivenScreen<Model>?

    init(_ driver: ScreenDriver<Model>, _ words: DesktopWords, showsTitle: Bool = true) {
        self.driver = driver
        self.words = words
        let column = Box(.down, spacing: 12)
        column.setMargins(top: 24, bottom: 24, sides: 12)
        title.add(style: "title-1")
        message.add(style: "body")
        if showsTitle {
            column.place(down: .center)
            for part in [spinner, title, message] as [Widget] { column.append(part) }
        }
        content.setMargins(top: showsTitle ? 12 : 0)
        column.append(content)
        widget = Scroll(Clamp(column, width: 440))
        screen = DrivenScreen(driver) { [weak self] in self?.draw($0.screen) }
        // The drawing above came before the closure could reach this object.
        draw(driver.model.screen)
    }

    private func draw(_ screen: Screen<Model.Action, Model.Field>) {
        title.text = words(screen.title)
        message.text = screen.message.map { words($0) } ?? ""
        message.isVisible = screen.message != nil
        spinner.isVisible = screen.isBusy
        let shape = screen.elements.map(Self.shape)
        if shape != self.shape || updates.isEmpty {
            self.shape = shape
            build(screen.elements)
        }
        for (element, update) in zip(screen.elements, updates) { update(element) }
    }

    /// The element without its changing values.
    private static func shape(of element: Element) -> Element {
        switch element {
        case .field(let field, let label, _, let placeholder, let isSecret):
            .field(field, label: label, value: "", placeholder: placeholder, isSecret: isSecret)
        case .toggle(let action, let label, _): .toggle(action, label: label, isOn: false)
        default: element
        }
    }

    private func build(_ elements: [Element]) {
        content.removeAll()
        updates = []
        var group: Group?
        func rows() -> Group {
            if let group { return group }
            let made = Group()
            content.append(made)
            group = made
            return made
        }
        var buttons: Box?
        for (index, element) in elements.enumerated() {
            if case .button(let action, let label, let role) = element {
                group = nil
                let row = buttons ?? Box(.down, spacing: 8)
                if buttons == nil { content.append(row) }
                buttons = row
                row.append(button(action, words(label), role))
                updates.append { _ in }
                continue
            }
            buttons = nil
            switch element {
            case .heading(let text):
                let made = Group(words(text))
                content.append(made)
                group = made
                updates.append { _ in }
            case .text(let text), .warning(let text):
                group = nil
                content.append(label(words(text), isWarning: Self.isWarning(element)))
                updates.append { _ in }
            case .digits(let digits):
                group = nil
                content.append(DigitsLabel.make(digits))
                updates.append { _ in }
            default: updates.append(row(element, in: rows(), next: Self.firstButton(in: elements[index...])))
            }
        }
    }

    private static func firstButton(in elements: ArraySlice<Element>) -> Model.Action? {
        for case .button(let action, _, _) in elements { return action }
        return nil
    }

    private static func isWarning(_ element: Element) -> Bool { if case .warning = element { true } else { false } }

    private func label(_ text: String, isWarning: Bool) -> Widget {
        let label = Label(text)
        label.add(style: isWarning ? "error" : "dim-label")
        return label
    }

    private func button(_ action: Model.Action, _ text: String, _ role: ButtonRole) -> Widget {
        let button = Button(text) { [driver] in driver.press(action) }
        button.place(across: .center)
        button.add(style: "pill")
        switch role {
        case .prominent: button.add(style: "suggested-action")
        case .destructive: button.add(style: "destructive-action")
        case .standard, .cancel: break
        }
        return button
    }

    /// Appends the row of an element, and returns the update of its values.
    ///
    /// - Parameter next: the action of the first button below, which Enter in a field triggers.
    private func row(_ element: Element, in group: Group, next: Model.Action?) -> (Element) -> Void {
        switch element {
        case .field(let field, let label, let value, _, let isSecret):
            let row = EntryRow(
                words(label), text: value, isSecret: isSecret, change: { [driver] in driver.edit(field, $0) },
                enter: { [driver] in if let next { driver.press(next) } })
            group.append(row)
            return { if case .field(_, _, let value, _, _) = $0 { row.text = value } }
        case .toggle(let action, let label, let isOn):
            let toggle = Switch(isOn: isOn) { [driver] _ in driver.press(action) }
            let row = Row(words(label))
            row.append(toggle)
            row.setActivatable(toggle)
            group.append(row)
            return { if case .toggle(_, _, let isOn) = $0 { toggle.isOn = isOn } }
        case .row(let action, let label, let detail), .choice(let action, let label, let detail, _):
            let row = Row(words(label), detail: detail.map { words($0) } ?? "")
            if case .choice(_, _, _, isChosen: true) = element { row.append(Icon("object-select-symbolic")) }
            row.onActivate { [driver] in driver.press(action) }
            group.append(row)
            return { _ in }
        default: return { _ in }
        }
    }
}

/// Digits to compare, shown large and read aloud one by one.
@MainActor
enum DigitsLabel {
    static func make(_ digits: String) -> Widget {
        let label = Label(digits)
        label.add(style: "heliograph-digits")
        label.setName(digits.filter { !$0.isWhitespace }.map(String.init).joined(separator: " "))
        return label
    }
}
