import HelioAppModels

/// Shows screens as lines of text and presses what a person would read on them.
final class Terminal<Model: ScreenModel> {
    var model: Model
    var now = Duration.zero
    /// What the model wanted done since the last look.
    var effects: [Model.Effect] = []
    let table: TextTable

    init(_ model: Model, _ table: TextTable) {
        self.model = model
        self.table = table
        drain()
    }

    func press(_ label: String) -> Bool {
        for element in model.screen.elements {
            switch element {
            case .button(let action, let text, _), .row(let action, let text, _), .toggle(let action, let text, _),
                .choice(let action, let text, _, _):
                guard table.words(text) == label else { continue }
                model.press(action, now: now)
                drain()
                return true
            default: continue
            }
        }
        return false
    }

    func write(_ text: String, in label: String) -> Bool {
        for case .field(let field, let name, _, _, _) in model.screen.elements where table.words(name) == label {
            model.edit(field, text)
            drain()
            return true
        }
        return false
    }

    func happens(_ event: Model.Event) {
        model.handle(event, now: now)
        drain()
    }

    /// Lets time go by, from one deadline to the next.
    func wait(_ time: Duration) {
        let end = now + time
        while let next = model.deadline, next <= end {
            now = max(now, next)
            model.tick(now: now)
            drain()
        }
        now = end
    }

    var text: String {
        let screen = model.screen
        var lines = ["= \(table.words(screen.title))\(screen.isBusy ? " …" : "")"]
        if let message = screen.message { lines.append(table.words(message)) }
        return (lines + screen.elements.map(line)).joined(separator: "\n")
    }

    private func line(_ element: ScreenElement<Model.Action, Model.Field>) -> String {
        switch element {
        case .heading(let text): "- \(table.words(text))"
        case .text(let text): "  \(table.words(text))"
        case .warning(let text): "! \(table.words(text))"
        case .digits(let digits): "# \(digits)"
        case .field(_, let label, let value, let hint, let isSecret):
            "\(table.words(label)): [\(value.isEmpty ? hint : isSecret ? String(repeating: "•", count: value.count) : value)]"
        case .toggle(_, let label, let isOn): "[\(isOn ? "x" : " ")] \(table.words(label))"
        case .choice(_, let label, let detail, let isChosen):
            "(\(isChosen ? "o" : " ")) \(table.words(label))\(detail.map { " | \(table.words($0))" } ?? "")"
        case .row(_, let label, let detail): "> \(table.words(label))\(detail.map { " | \(table.words($0))" } ?? "")"
        case .button(_, let label, let role): "<\(table.words(label))>\(Self.mark(role))"
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

    private func drain() { while let effect = model.poll() { effects.append(effect) } }

    func taken() -> [Model.Effect] {
        defer { effects = [] }
        return effects
    }
}
