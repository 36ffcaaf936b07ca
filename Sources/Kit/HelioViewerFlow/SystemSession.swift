internal import HelioAppModels
internal import HelioCore
public import HelioViewing

#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// Adapts a `ViewerSession` to the flow's protocol.
@MainActor
public final class SystemSession: WatchingSession {
    private let viewer: ViewerSession

    #if canImport(UIKit)
    /// The view that shows the picture and takes the user's input for the host.
    public var view: UIView { viewer.view }
    /// Magnifies the picture about the view's centre, and then moves it by `dx` and `dy` points.
    public func zoom(by scale: Double, dx: Double, dy: Double) { viewer.zoom(by: scale, dx: dx, dy: dy) }
    #elseif canImport(AppKit)
    /// The view that shows the picture and takes the user's input for the host.
    public var view: NSView { viewer.view }
    #endif

    init(
        _ link: String, _ code: String?, _ options: SessionOptions,
        _ onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) {
        viewer = try ViewerSession(link: link, code: code, options: Viewer.Options(options)) {
            onEvent(SessionEvent($0))
        }
    }

    init(
        _ host: DiscoveredHost, _ code: String?, _ options: SessionOptions,
        _ onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) {
        viewer = try ViewerSession(host: host, code: code, options: Viewer.Options(options)) {
            onEvent(SessionEvent($0))
        }
    }

    /// Connects to the host; called once.
    public func start() { viewer.start() }
    /// Sends input from the app's controls; does nothing if the host accepts none.
    public func send(_ input: SinkInput) { viewer.send(input) }
    /// Asks the host to show one of its monitors.
    public func selectMonitor(_ id: String) { viewer.selectMonitor(id) }
    /// Turns the host's sound on or off; while it is off, the host sends no sound.
    public func setSound(on: Bool) { viewer.isSoundOn = on }
    /// Shows the picture at its actual size, or fitted to the window.
    public func setActualSize(_ isOn: Bool) { viewer.setScale(isOn ? .oneToOne : .fit) }
    /// Pauses the stream, or resumes it.
    public func setPaused(_ isPaused: Bool) { viewer.isPaused = isPaused }
    /// Leaves the host, which then releases the keys and buttons that are held down.
    public func leave() { viewer.leave() }
}

extension Viewer.Options {
    fileprivate init(_ options: SessionOptions) {
        self.init()
        sound = options.playsSound
        isViewOnly = options.watchesOnly
        sync = options.waitsForSound ? .inStep : .auto
        keys = options.typesText ? .character : .place
    }
}

extension SessionEvent {
    /// Makes the flow's event for an event of HelioViewing.
    package init(_ event: ViewerSession.Event) {
        switch event {
        case .admitted: self = .letIn
        case .playing(let size, let allowsControl): self = .playing(size, allowsControl: allowsControl)
        case .permission(let allowsControl): self = .permission(allowsControl: allowsControl)
        case .driver(let driver): self = .driver(SessionDriver(driver))
        case .controlRequested(let name): self = .controlRequested(name: name)
        case .monitors(let monitors, let selected):
            self = .monitors(monitors.map { SessionMonitor($0) }, selected: selected)
        case .sound(let isThere): self = .sound(isThere: isThere)
        case .statistics(let statistics): self = .figures(statistics.figures)
        case .disconnected(let reason): self = .disconnected(reason: reason)
        case .note(let text): self = .note(text)
        case .fullScreenAsked: self = .fullScreenAsked
        case .ended(let error): self = .ended(error)
        }
    }
}

extension SessionDriver {
    fileprivate init(_ driver: MirrorSink.Driver) {
        switch driver {
        case .nobody: self = .nobody
        case .you: self = .you
        case .other(let name): self = .other(name: name)
        }
    }
}

extension SessionMonitor {
    fileprivate init(_ monitor: Monitor) {
        self.init(
            id: monitor.id, name: monitor.name, width: monitor.width, height: monitor.height, isMain: monitor.isPrimary)
    }
}
