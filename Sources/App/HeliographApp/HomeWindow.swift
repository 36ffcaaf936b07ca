internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK
private import HelioViewerFlow

/// The app's window: the pages to connect and to share, and the preferences of viewing.
@MainActor
final class HomeWindow {
    private let desktop: Desktop
    private let window: Window
    private let stack = ViewStack()
    private let toasts: ToastOverlay
    private let connect: ConnectPage
    private let share: SharePage
    private var preferences: Window?

    init(_ desktop: Desktop) {
        self.desktop = desktop
        let words = desktop.words
        window = Window(of: desktop.app, title: "Heliograph", width: 620, height: 760)
        window.setIcon(HeliographApp.id)
        toasts = ToastOverlay(stack)
        let (window, toasts) = (window, toasts)
        connect = ConnectPage(desktop.viewer, words)
        share = SharePage(desktop.host, words) { text, name in
            window.copy(text)
            toasts.show(words(.copied, name))
        }
        stack.add(connect.widget, name: "connect", title: words(.connect), icon: "network-workgroup-symbolic")
        stack.add(share.widget, name: "share", title: words(.share), icon: "video-display-symbolic")
        let column = Box(.down)
        let header = HeaderBar()
        let bar = SwitcherBar(of: stack)
        header.show(switcherOf: stack, title: "Heliograph", bar: bar)
        header.append(
            atEnd: Button(icon: "preferences-system-symbolic", name: words(.preferences)) { [weak self] in
                self?.showPreferences()
            })
        for part in [header, toasts, bar] as [Widget] { column.append(part) }
        toasts.grow(across: true, down: true)
        window.setContent(column)
        window.onClose { [weak desktop] in
            desktop?.closeWindow()
            return true
        }
        connect.focus()
        connect.onPlace = { [stack] in stack.show("connect") }
        desktop.app.addAction("connect", keys: ["<Alt>1"]) { [stack] in stack.show("connect") }
        desktop.app.addAction("share", keys: ["<Alt>2"]) { [stack] in stack.show("share") }
        desktop.app.addAction("preferences", keys: ["<Control>comma"]) { [weak self] in self?.showPreferences() }
    }

    var isActive: Bool { window.isActive }
    func present() { window.present() }
    func hide() { window.hide() }
    /// Calls a closure at each change of sharing, with the state before it and the new one.
    func onPage(_ call: @escaping (HostPage, HostPage) -> Void) { share.onPage = call }
    func showSharing() { stack.show("share") }
    func toast(_ text: String) { toasts.show(text) }
    /// Marks the page to share while a question waits there.
    func setAttention(_ isNeeded: Bool) { stack.setAttention(share.widget, isNeeded) }

    func askToStop(_ stop: @escaping () -> Void) {
        let words = desktop.words
        Question.ask(
            over: window, title: words(.closeTitle), text: words(.closeText), cancel: words(Phrase(.commonCancel)),
            confirm: words(.closeConfirm), confirm: stop)
    }

    private func showPreferences() {
        if preferences == nil {
            let words = desktop.words
            let opened = Window(of: desktop.app, title: words(.preferences), width: 460, height: 420)
            let view = ScreenView(desktop.viewer.settings, words, showsTitle: false)
            let column = Box(.down)
            column.append(HeaderBar())
            column.append(view.widget)
            opened.setContent(column)
            opened.setOwner(window)
            opened.onClose { [weak self] in
                // The view lives as long as its window.
                withExtendedLifetime(view) { self?.preferences = nil }
                return false
            }
            preferences = opened
        }
        preferences?.present()
    }
}
