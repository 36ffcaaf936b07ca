internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// The choice among this machine's monitors, while there are several.
@MainActor
final class ScreensView {
    let widget: Widget
    private let words: DesktopWords
    private let row: ChoiceRow
    private var drawn: [HostPage.Monitor] = []

    init(_ driver: ScreenDriver<HostMenuModel>, _ words: DesktopWords) {
        self.words = words
        row = ChoiceRow(words(.screen)) { index in
            let monitors = driver.model.page.monitors
            if monitors.indices.contains(index) { driver.press(.monitor(monitors[index].id)) }
        }
        let group = Group()
        group.append(row)
        widget = group
        widget.isVisible = false
    }

    func draw(_ monitors: [HostPage.Monitor]) {
        guard monitors != drawn else { return }
        drawn = monitors
        widget.isVisible = !monitors.isEmpty
        row.set(
            monitors.map { "\(words($0.label)), \(words($0.detail))" },
            selected: monitors.firstIndex { $0.isChosen } ?? 0)
    }
}
