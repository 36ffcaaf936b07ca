package import HelioCore
package import HelioDBusWire

/// A session with a desktop, which gives streams of its monitors' pictures, and takes input for them. All methods may
/// be called on any thread; those for input wait for nothing.
package protocol DesktopSession: AnyObject, Sendable {
    /// The monitors; empty if there are none.
    func monitors() throws(HelioError) -> [ScreenMonitor]
    /// Opens a stream of a monitor's pictures.
    ///
    /// - Parameters:
    ///   - monitor: one of `monitors`, or a virtual monitor's id.
    ///   - signal: called at each news of the stream, on a thread of the stream's.
    func openStream(
        of monitor: ScreenMonitor.ID, signal: @escaping @Sendable () -> Void
    ) throws(HelioError) -> PictureStream
    /// Forgets a stream that has ended.
    func forgetStream(of monitor: ScreenMonitor.ID)
    /// Has `signal` called, on the session's thread, when monitors change or the session ends, until the returned object
    /// is released.
    func follow(_ signal: @escaping @Sendable () -> Void) -> SessionFollower
    /// Begins a session anew that the desktop has closed for a reason that is no person's wish; returns true if it did,
    /// and streams are to be opened again.
    func revive() throws(HelioError) -> Bool
    /// The reason for which the session has ended, as a sentence; `nil` while it goes on.
    var end: String? { get }

    /// True if the desktop takes input from this program.
    var takesInput: Bool { get }
    /// Notes for the user about what this session lacks.
    var notes: [String] { get }
    /// Sends input.
    func send(_ input: DesktopInput)
    /// The states of Caps Lock and Num Lock; `nil` for a desktop that does not tell them.
    func lockStates() -> (caps: Bool, num: Bool)?

    /// The way to the session's clipboard; `nil` if it has none.
    var clipboard: DesktopClipboardPort? { get }
}

extension DesktopSession {
    package func revive() throws(HelioError) -> Bool { false }
}

/// Input for a desktop's session.
package enum DesktopInput: Sendable, Hashable {
    /// The pointer's place in the pictures of a monitor's stream, which have this size.
    case move(ScreenMonitor.ID, x: Double, y: Double, of: PixelSize)
    case moveBy(x: Double, y: Double)
    /// A button, by its code in linux/input-event-codes.h.
    case button(Int32, isDown: Bool)
    /// Detents of a wheel; positive is to the right, or down.
    case scroll(isHorizontal: Bool, detents: Int32)
    /// A key, by its code in linux/input-event-codes.h.
    case key(UInt32, isDown: Bool)
    /// A key that types a character, by its keysym.
    case keysym(UInt32, isDown: Bool)
}

/// The way to a session's clipboard: the calls of Mutter's session and of the portal's are the same but for names.
package struct DesktopClipboardPort: Sendable {
    package let bus: BusConnection
    package let destination: String
    package let path: String
    package let interface: String
    /// The first arguments of each call: the session's path for the portal.
    package let prefix: [DBusValue]
    /// True if the clipboard is to be switched on; the portal's is from the session's start.
    package let isSwitchedOn: Bool
    /// The name under which the types of an offer go.
    package let typesName: String

    package init(
        _ bus: BusConnection, destination: String, path: String, interface: String, prefix: [DBusValue] = [],
        isSwitchedOn: Bool = true, typesName: String = "mime-types"
    ) {
        self.bus = bus
        self.destination = destination
        self.path = path
        self.interface = interface
        self.prefix = prefix
        self.isSwitchedOn = isSwitchedOn
        self.typesName = typesName
    }

    package func message(_ member: String, _ arguments: [DBusValue]) -> DBusMessage {
        .call(destination, path, interface, member, prefix + arguments)
    }
}
