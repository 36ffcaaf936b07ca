internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// The list of machines, below the field for a link, an address or a code.
@MainActor
final class HostsView {
    private typealias Element = ScreenElement<HostListModel.Action, HostListModel.Field>

    let widget: Widget
    private let driver: ScreenDriver<HostListModel>
    private let words: DesktopWords
    private let entry: EntryRow
    private let warning = Label("")
    private let obstacle = Label("")
    private let lists = Box(.down, spacing: 24)
    private let empty: StatusPage
    private let spinner = Spinner()
    private var drawn: [Element]?
    private var screen: DrivenScreen<HostListModel>?

    init(_ driver: ScreenDriver<HostListModel>, _ words: DesktopWords) {
        self.driver = driver
        self.words = words
        let open = { driver.press(.openAddress) }
        entry = EntryRow(words(Phrase(.hostsAddress)), change: { driver.edit(.address, $0) }, enter: open)
        let button = Button(icon: "go-next-symbolic", name: words(Phrase(.hostsOpen)), press: open)
        button.place(down: .center)
        button.add(style: "suggested-action")
        button.add(style: "circular")
        entry.append(button)
        let top = Group()
        top.append(entry)
        empty = StatusPage(icon: "network-workgroup-symbolic", title: words(.emptyTitle), child: spinner)
        warning.add(style: "error")
        obstacle.add(style: "dim-label")
        let column = Box(.down, spacing: 18)
        column.setMargins(top: 24, bottom: 24, sides: 12)
        for part in [top, warning, lists, empty, obstacle] as [Widget] { column.append(part) }
        widget = Scroll(Clamp(column))
        screen = DrivenScreen(driver) { [weak self] in self?.draw($0.screen) }
        draw(driver.model.screen)
    }

    /// Puts the keyboard into the field, so that a link can be pasted at once.
    func focus() { entry.focus() }

    private func draw(_ screen: Screen<HostListModel.Action, HostListModel.Field>) {
        var rows: [Element] = []
        var (warnings, obstacles): ([String], [String]) = ([], [])
        for element in screen.elements {
            switch element {
            case .field(.address, _, let value, _, _): entry.text = value
            // The list is short here; the field for an address finds names as well.
            case .field(.search, _, _, _, _), .button(.openAddress, _, _): break
            // The list works without the network, so this is no error.
            case .warning(let text) where text.text == .hostsFailed: obstacles.append(words(text))
            case .warning(let text): warnings.append(words(text))
            default: rows.append(element)
            }
        }
        warning.text = warnings.joined(separator: "\n")
        warning.isVisible = !warnings.isEmpty
        obstacle.text = obstacles.joined(separator: "\n")
        obstacle.isVisible = !obstacles.isEmpty
        empty.isVisible = rows.isEmpty
        spinner.isVisible = screen.isBusy
        empty.set(title: words(.emptyTitle), description: screen.message.map { words($0) } ?? "")
        guard rows != drawn else { return }
        drawn = rows
        build(rows)
    }

    private func build(_ rows: [Element]) {
        lists.removeAll()
        var group = Group()
        var last: Row?
        for element in rows {
            switch element {
            case .heading(let text):
                group = Group(words(text))
                lists.append(group)
            case .row(let action, let label, let detail):
                let row = Row(words(label), detail: detail.map { words($0) } ?? "")
                row.prepend(Icon("computer-symbolic"))
                row.onActivate { [driver] in driver.press(action) }
                group.append(row)
                last = row
            case .button(let action, let label, _):
                let button = Button(icon: "user-trash-symbolic", name: words(label)) { [driver] in
                    driver.press(action)
                }
                button.add(style: "flat")
                button.place(down: .center)
                last?.append(button)
            default: break
            }
        }
    }
}
