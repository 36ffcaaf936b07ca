internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// The viewers, each with its permission to control and the way to disconnect it.
@MainActor
final class ViewersView {
    let widget = Box(.down)
    private let driver: ScreenDriver<HostMenuModel>
    private let words: DesktopWords
    private var drawn: (viewers: [HostPage.Viewer], mayDrive: Bool)?
    /// The switches that are shown, with the permissions that they stand for.
    private var toggles: [(toggle: Switch, mayDrive: Bool)] = []
    private var isPressing = false

    init(_ driver: ScreenDriver<HostMenuModel>, _ words: DesktopWords) {
        self.driver = driver
        self.words = words
    }

    func draw(_ page: HostPage) {
        widget.isVisible = page.code != nil
        if let drawn, drawn.viewers == page.viewers, drawn.mayDrive == page.viewersMayDrive {
            // A permission that was not given after all, as the preferences let viewers only watch.
            if !isPressing { for (toggle, mayDrive) in toggles { toggle.isOn = mayDrive } }
            return
        }
        drawn = (page.viewers, page.viewersMayDrive)
        widget.removeAll()
        toggles = []
        let group = Group(words(.watchers))
        widget.append(group)
        guard !page.viewers.isEmpty else {
            let row = Row(words(Phrase(.menuNobody)))
            row.add(style: "dim-label")
            return group.append(row)
        }
        let all = Button(words(Phrase(page.viewersMayDrive ? .menuTakeBack : .menuLetDrive))) { [driver] in
            driver.press(page.viewersMayDrive ? .takeBack : .letDrive)
        }
        all.add(style: "flat")
        group.setHeader(all)
        for viewer in page.viewers { group.append(row(viewer)) }
    }

    private func row(_ viewer: HostPage.Viewer) -> Row {
        let mayDrive = viewer.mayDrive ?? true
        let row = Row(
            viewer.name, detail: words(viewer.drives ? .inControl : mayDrive ? .mayControl : .watchesOnly))
        row.prepend(Icon(viewer.drives ? "input-mouse-symbolic" : "avatar-default-symbolic"))
        if let mayDrive = viewer.mayDrive {
            let toggle = Switch(isOn: mayDrive) { [weak self] _ in self?.control(viewer.number) }
            toggles.append((toggle, mayDrive))
            toggle.setName(words(Phrase(.menuMayControl, viewer.name)))
            toggle.setTooltip(words(.mayControl))
            row.append(toggle)
        }
        let out = Button(icon: "window-close-symbolic", name: words(Phrase(.menuPutOut, viewer.name))) { [driver] in
            driver.press(.disconnect(viewer.number))
        }
        out.add(style: "flat")
        out.place(down: .center)
        row.append(out)
        return row
    }

    private func control(_ number: Int) {
        isPressing = true
        driver.press(.viewerControl(number))
        isPressing = false
    }
}
