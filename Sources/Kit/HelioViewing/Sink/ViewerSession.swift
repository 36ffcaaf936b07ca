private import Dispatch
public import HelioCore
private import HelioGround
public import HelioSharing

#if canImport(HelioAppleSink)
private import HelioAppleSink
#if canImport(UIKit)
public import UIKit
#else
public import AppKit
#endif
#endif

/// A ``Viewer`` inside an app: it does not occupy the main thread with a loop, and the app provides the controls around
/// the picture.
///
/// ```swift
/// let session = try ViewerSession(link: text) { event in print(event) }
/// window.contentView = session.view
/// session.start()
/// ```
///
/// `view` shows the picture on Apple's systems, and takes the user's pointer, touch, pen and key input. Elsewhere the
/// picture is in a window of its own.
@MainActor
public final class ViewerSession {
    /// An event of the session for the app, delivered to `onEvent` on the main thread.
    public enum Event: Sendable {
        /// The host has admitted this viewer.
        case admitted
        /// Pictures begin to arrive, for the first time or after a reconnection.
        case playing(PixelSize, allowsControl: Bool)
        /// The host has begun (true) or stopped (false) accepting input from this viewer.
        case permission(allowsControl: Bool)
        /// The viewer that drives the host has changed.
        case driver(MirrorSink.Driver)
        /// The viewer with that name asks this viewer to hand over control; call `send(.handOver)` to agree.
        case controlRequested(name: String)
        /// The list of the host's monitors, or the shown monitor, has changed.
        case monitors([Monitor], selected: Monitor.ID?)
        /// The host has begun to send sound; reported once, with `isThere` true.
        case sound(isThere: Bool)
        /// New statistics: with the first picture, and at each ``Viewer/Options/statisticsInterval``.
        case statistics(ViewerStatistics)
        /// The connection is lost. The viewer is reconnecting to the host; `playing` or `ended` follows.
        case disconnected(reason: String)
        /// A note for the user; the session continues.
        case note(String)
        /// The user has pressed the keys that enter or leave full screen.
        case fullScreenAsked
        /// The session has ended, with an error or because the user has left. This is the last event.
        case ended(HelioError?)
    }

    private enum State {
        case ready
        case running
        /// The user has left, and `ended` has not been delivered yet.
        case leaving
        case over
    }

    /// The interval at which a window is polled for input if it does not report input by itself.
    private static let inputInterval = Duration.milliseconds(8)

    private let loop: any ViewerTurning
    private let onEvent: @MainActor (Event) -> Void
    private let bell = SessionBell()
    private let outbox = SessionOutbox()
    /// A timer that calls `turn` at the loop's next deadline.
    private let alarm = DispatchSource.makeTimerSource(flags: .strict, queue: .main)
    private let polls: Bool
    private var state = State.ready

    /// Prepares a session with a host or a stream; `start` connects.
    ///
    /// - Parameters:
    ///   - link: as in ``Viewer``: a link, the name or address of a paired host, or the address of a stream.
    ///   - code: the code that the host was started with, if `link` is its address; it pairs this machine with the
    ///     host.
    ///   - options: the properties of the picture, and the limits of the media that this viewer accepts.
    ///   - onEvent: called on the main thread, never from within a call to the session.
    ///
    /// Throws the same errors as ``Viewer``.
    public convenience init(
        link: String, code: String? = nil, options: Viewer.Options = Viewer.Options(),
        onEvent: @escaping @MainActor (Event) -> Void
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, onEvent)
    }

    /// Prepares a session with a discovered host, authenticated by a code or by this machine's pairing with the host.
    ///
    /// Throws `invalidArgument` if there is neither a code nor a pairing.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Viewer.Options = Viewer.Options(),
        onEvent: @escaping @MainActor (Event) -> Void
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, onEvent)
    }

    #if canImport(HelioAppleSink)
    #if canImport(UIKit)
    /// The view that shows the picture and takes the user's input for the host.
    public private(set) var view = UIView(frame: .zero)

    /// Magnifies the picture about the view's centre, and then moves it by `dx` and `dy` points, to the right and
    /// downwards. Magnified it is as sharp as the host's picture allows, unlike with a transform of the view.
    public func zoom(by scale: Double, dx: Double, dy: Double) {
        (view as? ApplePictureView)?.zoom(by: scale, dx: dx, dy: dy)
    }
    #else
    /// The view that shows the picture and takes the user's input for the host.
    public private(set) var view = NSView(frame: .zero)
    #endif

    private convenience init(
        _ target: ViewTarget, _ options: Viewer.Options, _ onEvent: @escaping @MainActor (Event) -> Void
    ) throws(HelioError) {
        let picture = ApplePictureView(frame: .zero)
        try self.init(on: AppleSink(view: picture), target, options, polls: false, onEvent)
        picture.onEvents = { [weak self] in self?.turn() }
        view = picture
    }
    #else
    private convenience init(
        _ target: ViewTarget, _ options: Viewer.Options, _ onEvent: @escaping @MainActor (Event) -> Void
    ) throws(HelioError) {
        try self.init(on: systemSink, target, options, polls: true, onEvent)
    }
    #endif

    /// - Parameter polls: true if the window has to be polled for input; otherwise the window calls `turn`.
    init<Platform: SinkPlatform>(
        on platform: Platform, _ target: ViewTarget, _ options: Viewer.Options, polls: Bool,
        _ onEvent: @escaping @MainActor (Event) -> Void
    ) throws(HelioError) {
        self.polls = polls
        self.onEvent = onEvent
        let (outbox, bell) = (self.outbox, self.bell)
        loop = try ViewerLoop(
            on: platform, target, options, { outbox.put(.statistics($0)) }, { outbox.put(.note($0)) },
            onEvent: { outbox.put($0) }, wake: { bell.ring() })
        bell.listen { [weak self] in self?.turn() }
        alarm.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.turn() } }
        alarm.activate()
    }

    isolated deinit {
        alarm.cancel()
        if state == .running { stop() }
    }

    /// Connects to the host. Further calls do nothing.
    public func start() {
        guard state == .ready else { return }
        state = .running
        loop.begin()
        if isPaused { loop.setPaused(true) }
        bell.ring()
    }

    /// Leaves the host, which releases the keys and buttons that this viewer holds down; `ended` follows.
    public func leave() {
        guard state == .ready || state == .running else { return }
        if state == .running { stop() }
        state = .leaving
        bell.ring()
    }

    /// Sends input from the app's own controls. Does nothing before `playing`, or if the host allows no control.
    public func send(_ input: SinkInput) { if state == .running { loop.send(input) } }

    /// Asks the host to show another of its monitors; `Event.monitors` confirms the change.
    public func selectMonitor(_ id: Monitor.ID) { if state == .running { loop.selectMonitor(id) } }

    /// True if the host's sound is played; if false, the host sends no sound.
    public var isSoundOn: Bool {
        get { loop.isSoundOn }
        set { loop.isSoundOn = newValue }
    }

    /// True to pause the stream, for an app in the background, which must not draw. Pausing releases the keys and
    /// buttons that this viewer holds down at the host; when the stream is resumed, it continues with a keyframe.
    public var isPaused = false {
        didSet { if state == .running { loop.setPaused(isPaused) } }
    }

    /// Changes the scaling of the picture.
    public func setScale(_ scale: Viewer.Scale) { loop.setScale(scale) }

    /// Handles pending input and news, shows the newest picture, and delivers events. Called by the window's view too.
    func turn() {
        switch state {
        case .ready, .over: return
        case .leaving: return end(nil)
        case .running: break
        }
        do {
            let goesOn = try loop.turn(until: MonotonicClock.now)
            tell()
            // The app may have called `leave` in an event.
            guard state == .running else { return }
            if goesOn { setAlarm() } else { leave() }
        } catch {
            tell()
            if state == .running { stop() }
            end(error)
        }
    }

    private func tell() { for event in outbox.takeAll() where state == .running { onEvent(event) } }

    private func end(_ error: HelioError?) {
        state = .over
        onEvent(.ended(error))
    }

    private func setAlarm() {
        let now = MonotonicClock.now
        var next = loop.nextDeadline
        if polls { next = min(next ?? now + Self.inputInterval, now + Self.inputInterval) }
        guard let next else { return alarm.schedule(deadline: .distantFuture) }
        alarm.schedule(
            deadline: .now() + .nanoseconds(Int(max(0, (next - now).nanoseconds))), leeway: .nanoseconds(0))
    }

    /// Closes the connection on another thread, so that the app need not wait.
    private func stop() {
        alarm.schedule(deadline: .distantFuture)
        loop.end()
        WorkerThread(name: "heliograph-close", loop.finish)
    }
}
