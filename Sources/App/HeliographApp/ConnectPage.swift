internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK
internal import HelioViewerFlow

/// The page to reach other machines: the list, and in its place the screens of the host that was chosen.
@MainActor
final class ConnectPage {
    let widget = Pages()
    private let flow: ViewerFlow
    private let words: DesktopWords
    private let list: HostsView
    /// The view of the present place, and its driver's identity.
    private var shown: (driver: ObjectIdentifier, view: AnyObject, page: Int)?
    private var pages = 0
    /// Called when a screen covers the list, so that the page comes to the front.
    var onPlace: () -> Void = {}

    init(_ flow: ViewerFlow, _ words: DesktopWords) {
        self.flow = flow
        self.words = words
        list = HostsView(flow.hosts, words)
        widget.add(list.widget, name: "hosts")
        flow.onChange = { [weak self] in self?.draw() }
    }

    func focus() { list.focus() }

    private func draw() {
        switch flow.place {
        case .hosts:
            shown = nil
            widget.show("hosts")
        case .pairing(let driver): show(driver) { ScreenView(driver, words) }
        case .connecting(let driver):
            // A session that the user has left needs no page that says so.
            if driver.model.hasLeft { return driver.press(.cancel) }
            show(driver) { ScreenView(driver, words) }
        case .session(let driver): show(driver) { SessionView(driver, words) }
        }
    }

    private func show<Model, View: DrawnView>(_ driver: ScreenDriver<Model>, _ make: () -> View) {
        guard shown?.driver != ObjectIdentifier(driver) else { return }
        let view = make()
        // A page that was covered is kept by the stack until the next one comes.
        if let shown { widget.remove("\(shown.page)") }
        pages += 1
        widget.add(view.widget, name: "\(pages)")
        widget.show("\(pages)")
        shown = (ObjectIdentifier(driver), view, pages)
        onPlace()
    }
}

/// A view that draws a driver's screens.
@MainActor
protocol DrawnView: AnyObject {
    var widget: Widget { get }
}

extension ScreenView: DrawnView {}
