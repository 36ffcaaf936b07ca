package import HelioCore
import HelioDBusWire
import HelioGround
import Synchronization

/// A session with GNOME's Mutter: org.gnome.Mutter.RemoteDesktop for input and the clipboard, linked to one of
/// org.gnome.Mutter.ScreenCast for pictures. Mutter asks nobody, so this program's own rules of admission hold.
package final class MutterSession: DesktopSession {
    private struct Streams: Sendable {
        /// The streams' objects and PipeWire's numbers for them, by monitor.
        var opened: [ScreenMonitor.ID: (path: String, node: UInt32)] = [:]
        /// The subscriptions to signals, which last as long as the session.
        var subscriptions: [BusSubscription] = []
    }

    private struct Objects: Sendable {
        let input: String
        let cast: String
    }

    private struct Times: Sendable {
        var closed: Instant?
        var changed: Instant?
    }

    static let remoteDesktop = "org.gnome.Mutter.RemoteDesktop"
    static let screenCast = "org.gnome.Mutter.ScreenCast"
    static let displayConfig = "org.gnome.Mutter.DisplayConfig"

    private let bus: BusConnection
    private let pipewire: String?
    /// The objects of the two sessions; others, after Mutter has closed the first.
    private let objects: Mutex<Objects>
    /// The times at which Mutter closed the sessions, and told that monitors changed.
    private let times = ThreadMailbox(Times())
    private let state = SessionState()
    private let streams = Mutex(Streams())
    package let notes: [String] = []
    package let takesInput = true
    package var end: String? { state.end }

    /// Begins a session. Throws `captureFailed` if Mutter does not run, or refuses.
    ///
    /// - Parameter pipewire: the path of PipeWire's socket; `nil` for the user's own.
    package init(_ bus: BusConnection, pipewire: String? = nil) throws(HelioError) {
        self.bus = bus
        self.pipewire = pipewire
        do throws(BusFailure) {
            objects = Mutex(try Self.begin(bus))
        } catch {
            throw Self.error(error)
        }
        try listen()
    }

    deinit { bus.post(.call(Self.remoteDesktop, input, Self.remoteDesktop + ".Session", "Stop")) }

    private var input: String { objects.withLock { $0.input } }
    private var cast: String { objects.withLock { $0.cast } }

    package var clipboard: DesktopClipboardPort? {
        DesktopClipboardPort(
            bus, destination: Self.remoteDesktop, path: input, interface: Self.remoteDesktop + ".Session")
    }

    private static func begin(_ bus: BusConnection) throws(BusFailure) -> Objects {
        let input = try path(
            bus.call(.call(remoteDesktop, "/org/gnome/Mutter/RemoteDesktop", remoteDesktop, "CreateSession")))
        let id = try bus.property("SessionId", of: remoteDesktop + ".Session", at: input, remoteDesktop)
        let cast = try path(
            bus.call(
                .call(
                    screenCast, "/org/gnome/Mutter/ScreenCast", screenCast, "CreateSession",
                    [.options(["remote-desktop-session-id": id])])))
        try bus.call(.call(remoteDesktop, input, remoteDesktop + ".Session", "Start"))
        return Objects(input: input, cast: cast)
    }

    /// Begins the session anew if Mutter has closed it because a monitor has gone or changed; ends it if a person has.
    /// Returns true if it was begun anew: its streams have ended, and can be opened again.
    package func revive() throws(HelioError) -> Bool {
        guard let closed = times.withLock({ $0.closed }) else { return false }
        let until = MonotonicClock.now + .milliseconds(500)
        let isByChange = times.take(until: until) { times in
            times.changed.map { abs((closed - $0).nanoseconds) < 1_000_000_000 } == true ? true : nil
        }
        times.withLock { $0.closed = nil }
        guard isByChange == true else {
            state.finish("GNOME has ended the sharing of its screen: by its person, or as its shell ended.")
            return false
        }
        do throws(BusFailure) {
            let new = try Self.begin(bus)
            objects.withLock { $0 = new }
        } catch {
            state.finish(Self.error(error).message)
            return false
        }
        streams.withLock { $0.opened = [:] }
        return true
    }

    private func listen() throws(HelioError) {
        let (state, times) = (state, times)
        do throws(BusFailure) {
            let ending = try bus.listen(
                to: Self.remoteDesktop + ".Session", path: nil,
                ended: { state.finish("The desktop's D-Bus has ended.") },
                { [weak self] message in
                    guard message.member == "Closed", message.path == self?.input else { return }
                    times.put { $0.closed = MonotonicClock.now }
                    state.notify()
                })
            let changing = try bus.listen(to: Self.displayConfig, path: "/org/gnome/Mutter/DisplayConfig") { message in
                guard message.member == "MonitorsChanged" else { return }
                times.put { $0.changed = MonotonicClock.now }
                state.notify(ofMonitors: true)
            }
            // A compositor that is killed says no good-bye.
            let leaving = try bus.listen(
                to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", argument: Self.screenCast
            ) { message in
                guard message.member == "NameOwnerChanged", let arguments = try? message.arguments(),
                    arguments.count == 3,
                    arguments[0].text == Self.screenCast, arguments[2].text == ""
                else { return }
                state.finish("GNOME's compositor has ended.")
            }
            streams.withLock { $0.subscriptions = [ending, changing, leaving] }
        } catch {
            throw Self.error(error)
        }
    }

    package func monitors() throws(HelioError) -> [ScreenMonitor] { try Self.monitors(bus) }

    /// Returns true if the program behind a bus shares its screen as Mutter does.
    package static func isOffered(_ bus: BusConnection) -> Bool {
        let answer = try? bus.call(BusConnection.bus("NameHasOwner", [.string(screenCast)]))
        return answer?.arguments.first?.isTrue == true
    }

    /// Returns the monitors of the Mutter on a bus.
    package static func monitors(_ bus: BusConnection) throws(HelioError) -> [ScreenMonitor] {
        do throws(BusFailure) {
            let answer = try bus.call(
                .call(displayConfig, "/org/gnome/Mutter/DisplayConfig", displayConfig, "GetCurrentState"))
            return MutterMonitors.list(answer.arguments)
        } catch {
            throw Self.error(error)
        }
    }

    package func follow(_ signal: @escaping @Sendable () -> Void) -> SessionFollower { state.follow(signal) }

    // MARK: Pictures

    package func openStream(
        of monitor: ScreenMonitor.ID, signal: @escaping @Sendable () -> Void
    ) throws(HelioError) -> PictureStream {
        let node = try node(of: monitor)
        return try PictureStream(place: pipewire, node: node, virtual: VirtualMonitor.size(of: monitor), signal: signal)
    }

    /// Forgets a stream that has ended, as its monitor is gone.
    package func forgetStream(of monitor: ScreenMonitor.ID) { streams.withLock { $0.opened[monitor] = nil } }

    /// Returns PipeWire's number of a monitor's stream, which is made if there is none.
    package func node(of monitor: ScreenMonitor.ID) throws(HelioError) -> UInt32 {
        if let stream = streams.withLock({ $0.opened[monitor] }) { return stream.node }
        // The pointer's shape and place come beside the pictures.
        let options = DBusValue.options(["cursor-mode": .uint32(2)])
        let (member, arguments): (String, [DBusValue]) =
            VirtualMonitor.size(of: monitor) == nil
            ? ("RecordMonitor", [.string(monitor), options]) : ("RecordVirtual", [options])
        do throws(BusFailure) {
            let path = try Self.path(
                bus.call(.call(Self.screenCast, cast, Self.screenCast + ".Session", member, arguments)))
            let added = ThreadMailbox<UInt32?>(nil)
            let subscription = try bus.listen(to: Self.screenCast + ".Stream", path: path) { message in
                guard message.member == "PipeWireStreamAdded",
                    let number = (try? message.arguments())?.first?.number
                else { return }
                added.put { $0 = UInt32(clamping: number) }
            }
            defer { withExtendedLifetime(subscription) {} }
            try bus.call(.call(Self.screenCast, path, Self.screenCast + ".Stream", "Start"))
            let until = MonotonicClock.now + BusConnection.patience
            guard let node = added.take(until: until, { $0 }) else {
                throw BusFailure(BusFailure.timedOut, "no PipeWire stream came: does PipeWire run?")
            }
            streams.withLock { $0.opened[monitor] = (path, node) }
            return node
        } catch {
            throw Self.error(error)
        }
    }

    private static func path(_ answer: BusConnection.Answer) throws(BusFailure) -> String {
        guard case .path(let path)? = answer.arguments.first else {
            throw BusFailure(BusFailure.unexpected, "The answer has no object")
        }
        return path
    }

    private static func error(_ failure: BusFailure) -> HelioError {
        failure.isMissing
            ? HelioError(.captureFailed, "GNOME's Mutter does not answer in this session: it offers no \(screenCast).")
            : failure.error(.captureFailed, "GNOME's Mutter does not share its screen")
    }

    // MARK: Input

    package func send(_ input: DesktopInput) {
        let (member, arguments): (String, [DBusValue])
        switch input {
        case .move(let monitor, let x, let y, _):
            guard let stream = streams.withLock({ $0.opened[monitor]?.path }) else { return }
            (member, arguments) = ("NotifyPointerMotionAbsolute", [.string(stream), .double(x), .double(y)])
        case .moveBy(let x, let y): (member, arguments) = ("NotifyPointerMotionRelative", [.double(x), .double(y)])
        case .button(let code, let isDown):
            (member, arguments) = ("NotifyPointerButton", [.int32(code), .bool(isDown)])
        case .scroll(let isHorizontal, let detents):
            (member, arguments) = ("NotifyPointerAxisDiscrete", [.uint32(isHorizontal ? 1 : 0), .int32(detents)])
        case .key(let code, let isDown):
            (member, arguments) = ("NotifyKeyboardKeycode", [.uint32(code), .bool(isDown)])
        case .keysym(let keysym, let isDown):
            (member, arguments) = ("NotifyKeyboardKeysym", [.uint32(keysym), .bool(isDown)])
        }
        bus.post(.call(Self.remoteDesktop, self.input, Self.remoteDesktop + ".Session", member, arguments))
    }

    package func lockStates() -> (caps: Bool, num: Bool)? {
        let interface = Self.remoteDesktop + ".Session"
        guard let caps = try? bus.property("CapsLockState", of: interface, at: input, Self.remoteDesktop).isTrue,
            let num = try? bus.property("NumLockState", of: interface, at: input, Self.remoteDesktop).isTrue
        else { return nil }
        return (caps, num)
    }
}
