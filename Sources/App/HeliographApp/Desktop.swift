private import Foundation
internal import HelioAppModels
private import HelioCore
internal import HelioDesktopFlow
internal import HelioGTK
internal import HelioHostFlow
internal import HelioViewerFlow

/// The app's parts: both sides' flows, the window, and the notifications.
@MainActor
final class Desktop {
    let app: Application
    let words: DesktopWords
    private(set) lazy var host = makeHost()
    private(set) lazy var viewer = makeViewer()
    /// The time in which sharing has to end when the app ends.
    private static let closingTime = Duration.seconds(5)

    private let store: FileStore
    private let program: String
    private var window: HomeWindow?
    private var notifier: Notifier?
    private lazy var tray = TrayItem(id: HeliographApp.id) { [weak self] in self?.show() }

    init(_ app: Application) {
        let environment = ProcessInfo.processInfo.environment
        self.app = app
        words = DesktopWords(environment: environment)
        store = FileStore(path: FileStore.usualPath(environment: environment))
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        program = own ?? CommandLine.arguments[0]
    }

    /// Runs the app until its window is closed. Returns the program's exit status.
    func run() -> Int32 {
        app.onActivate { [weak self] in self?.show() }
        app.addAction("show") { [weak self] in self?.show() }
        app.addAction("quit", keys: ["<Control>q"]) { [weak self] in self?.askToQuit() }
        app.onTerminate { [weak self] in self?.quit() }
        return app.run()
    }

    /// Shows the window, and brings it to the front.
    func show() {
        if window == nil {
            Style.apply(to: app)
            let window = HomeWindow(self)
            self.window = window
            notifier = Notifier(self, window)
            viewer.begin()
        }
        window?.present()
    }

    /// True while the window is in front, so that nothing need be notified.
    var isInFront: Bool { window?.isActive ?? false }

    /// Shows in the tray that this machine is shared, and with whom; removes that when it is not.
    func showInTray(_ page: HostPage) {
        guard page.code != nil else { return tray.hide() }
        let names = page.viewers.map(\.name).joined(separator: ", ")
        tray.show(
            icon: names.isEmpty ? "video-display-symbolic" : "video-joined-displays-symbolic",
            title: "Heliograph: " + (names.isEmpty ? words(Phrase(.menuNobody)) : words(.somebodyCame, names)))
    }

    /// Closes the window. Where a tray shows that this machine is shared, that goes on; otherwise the app ends, as in
    /// `askToQuit`.
    func closeWindow() {
        guard host.menu.model.page.code != nil, tray.isShown, let window else { return askToQuit() }
        window.hide()
        app.notify(id: "state", title: words(.stillSharing), text: words(.stillSharingText))
    }

    /// Ends the app, after a question if this machine is shared.
    func askToQuit() {
        guard host.menu.model.page.isOn, let window else { return quit() }
        window.askToStop { [weak self] in self?.quit() }
    }

    private func quit() {
        viewer.quit()
        tray.hide()
        Task {
            await host.close()
            app.quit()
        }
        // A start of sharing waits for the desktop's own question for minutes.
        Task {
            try? await Task.sleep(for: Self.closingTime)
            app.quit()
        }
    }

    private func makeHost() -> HostFlow {
        HostFlow(
            HostSurroundings(
                share: { try await DesktopSharing.start($0) }, permissions: DesktopPermissions(),
                loginItem: AutostartItem(
                    program: program, id: HeliographApp.id, environment: ProcessInfo.processInfo.environment),
                store: store.side("host"), openPreferences: {}, quit: { [weak self] in self?.quit() }))
    }

    private func makeViewer() -> ViewerFlow {
        let start = ContinuousClock.now
        let world = SystemWorld { [program] target, code, options, onEvent throws(HelioError) in
            try SpawnedSession(target, code, options, program: program, onEvent)
        }
        return ViewerFlow(
            world: world, store: store.side("viewer"), deviceName: ProcessInfo.processInfo.hostName,
            now: { start.duration(to: .now) }, date: { Int(Date().timeIntervalSince1970) })
    }
}
