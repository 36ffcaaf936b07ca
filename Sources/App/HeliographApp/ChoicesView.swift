internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK
internal import HelioHostFlow

/// The choices of sharing, and whether the app starts at login.
@MainActor
final class ChoicesView {
    let widget: Widget
    private let words: DesktopWords
    private let atLogin: Switch
    private let failure = Label("")
    private let warning = Label("")
    private let name: EntryRow
    private var toggles: [(SettingsModel.Action, Switch)] = []
    private var screen: DrivenScreen<SettingsModel>?

    init(_ flow: HostFlow, _ words: DesktopWords) {
        self.words = words
        let settings = flow.settings
        let group = Group(words(.choices))
        name = EntryRow(words(Phrase(.settingsName))) { settings.edit(.name, $0) }
        group.append(name)
        for case .toggle(let action, let label, let isOn) in settings.model.screen.elements {
            let toggle = Switch(isOn: isOn) { _ in settings.press(action) }
            group.append(Self.row(words(label), toggle))
            toggles.append((action, toggle))
        }
        atLogin = Switch(isOn: false) { _ in flow.menu.press(.startAtLogin) }
        group.append(Self.row(words(Phrase(.menuAtLogin)), atLogin))
        for label in [failure, warning] {
            label.add(style: "error")
            label.isVisible = false
            group.append(label)
        }
        widget = group
        screen = DrivenScreen(settings) { [weak self] in self?.draw($0) }
        draw(settings.model)
    }

    func draw(_ page: HostPage) {
        atLogin.isOn = page.startsAtLogin
        Self.show(page.loginFailure.map { words($0) }, in: failure)
    }

    private func draw(_ model: SettingsModel) {
        var problem: String?
        for element in model.screen.elements {
            switch element {
            case .warning(let text): problem = words(text)
            case .field(_, _, let value, _, _): name.text = value
            case .toggle(let action, _, let isOn): toggles.first { $0.0 == action }?.1.isOn = isOn
            default: break
            }
        }
        Self.show(problem, in: warning)
    }

    private static func show(_ text: String?, in label: Label) {
        label.text = text ?? ""
        label.isVisible = text != nil
    }

    private static func row(_ title: String, _ toggle: Switch) -> Row {
        let row = Row(title)
        row.append(toggle)
        row.setActivatable(toggle)
        return row
    }
}
