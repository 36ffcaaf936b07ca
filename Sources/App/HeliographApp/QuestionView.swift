internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// A question to the user at this machine: digits to compare, or files to take.
@MainActor
final class QuestionView {
    typealias Element = ScreenElement<HostMenuModel.Action, NoField>

    let widget = Box(.down, spacing: 12)
    private let driver: ScreenDriver<HostMenuModel>
    private let words: DesktopWords
    private var drawn: [Element]?

    init(_ driver: ScreenDriver<HostMenuModel>, _ words: DesktopWords) {
        self.driver = driver
        self.words = words
        widget.add(style: "card")
        widget.add(style: "heliograph-question")
    }

    func draw(_ elements: [Element]) {
        guard elements != drawn else { return }
        drawn = elements
        widget.isVisible = !elements.isEmpty
        widget.removeAll()
        let buttons = Box(.across, spacing: 12)
        buttons.place(across: .center)
        for element in elements {
            switch element {
            case .warning(let text):
                let label = Label(words(text))
                label.add(style: "heading")
                widget.append(label)
            case .digits(let digits): widget.append(DigitsLabel.make(digits))
            case .button(let action, let label, let role):
                let button = Button(words(label)) { [driver] in driver.press(action) }
                button.add(style: "pill")
                if role == .prominent { button.add(style: "suggested-action") }
                buttons.append(button)
            default: break
            }
        }
        widget.append(buttons)
    }
}
