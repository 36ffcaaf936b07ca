package import HelioAppModels

extension TextTable {
    /// Renders a screen as lines of text, as a person would read it.
    package func read<Action, Field>(_ screen: Screen<Action, Field>) -> String {
        var lines = ["= \(words(screen.title))\(screen.isBusy ? " …" : "")"]
        if let message = screen.message { lines.append(words(message)) }
        return (lines + screen.elements.map(line)).joined(separator: "\n")
    }

    /// The action of the element with this label; `nil` if there is none on the screen.
    package func action<Action, Field>(_ label: String, on screen: Screen<Action, Field>) -> Action? {
        for element in screen.elements {
            switch element {
            case .button(let action, let text, _), .row(let action, let text, _), .toggle(let action, let text, _),
                .choice(let action, let text, _, _):
                if words(text) == label { return action }
            default: continue
            }
        }
        return nil
    }

    /// The field with this label; `nil` if there is none on the screen.
    package func field<Action, Field>(_ label: String, on screen: Screen<Action, Field>) -> Field? {
        for case .field(let field, let name, _, _, _) in screen.elements where words(name) == label { return field }
        return nil
    }

    private func line<Action, Field>(_ element: ScreenElement<Action, Field>) -> String {
        switch element {
        case .heading(let text): "- \(words(text))"
        case .text(let text): "  \(words(text))"
        case .warning(let text): "! \(words(text))"
        case .digits(let digits): "# \(digits)"
        case .field(_, let label, let value, let hint, let isSecret):
            "\(words(label)): [\(value.isEmpty ? hint : isSecret ? String(repeating: "•", count: value.count) : value)]"
        case .toggle(_, let label, let isOn): "[\(isOn ? "x" : " ")] \(words(label))"
        case .choice(_, let label, let detail, let isChosen):
            "(\(isChosen ? "o" : " ")) \(words(label))\(detail.map { " | \(words($0))" } ?? "")"
        case .row(_, let label, let detail): "> \(words(label))\(detail.map { " | \(words($0))" } ?? "")"
        case .button(_, let label, let role): "<\(words(label))>\(Self.mark(role))"
        }
    }

    private static func mark(_ role: ButtonRole) -> String {
        switch role {
        case .standard: ""
        case .prominent: " *"
        case .destructive: " !"
        case .cancel: " x"
        }
    }
}
