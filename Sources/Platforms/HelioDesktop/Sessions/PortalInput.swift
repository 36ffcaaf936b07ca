import HelioCore
import HelioDBusWire
import Synchronization

/// Sends input to a portal's session, one call after another.
///
/// The portal handles each call in a thread of its own (xdg-desktop-portal, 1.16), so of two calls that it has at the
/// same time the later one may be done first: a key could be let go before it is pressed. So the next call is sent when
/// the one before has its answer. Input that waits meanwhile is bounded: movements become one, as do scrolls.
final class PortalInput: Sendable {
    private struct State: Sendable {
        var waiting: [DesktopInput] = []
        /// True while a call has no answer.
        var isCalling = false
        var late = 0
    }

    /// The most inputs that wait for a portal that does not answer; of releases as many more, so that nothing that was
    /// pressed stays pressed.
    static let mostWaiting = 256

    private let bus: BusConnection
    private let session: String
    private let streams: [PortalSession.Stream]
    private let state = Mutex(State())

    /// - Parameter session: the session's path.
    init(_ bus: BusConnection, session: String, _ streams: [PortalSession.Stream]) {
        self.bus = bus
        self.session = session
        self.streams = streams
    }

    /// The counts of what was dropped, by name: input for a portal that has not answered for long.
    var drops: [String: Int] { state.withLock { $0.late > 0 ? ["portal-input-late": $0.late] : [:] } }

    func send(_ input: DesktopInput) {
        guard message(input) != nil else { return }
        let isNext = state.withLock { state in
            if state.isCalling {
                Self.add(input, to: &state)
                return false
            }
            state.isCalling = true
            return true
        }
        if isNext { call(input) }
    }

    private static func add(_ input: DesktopInput, to state: inout State) {
        if let last = state.waiting.last, let both = merged(last, input) {
            state.waiting[state.waiting.count - 1] = both
        } else if state.waiting.count < (isRelease(input) ? 2 * mostWaiting : mostWaiting) {
            state.waiting.append(input)
        } else {
            state.late += 1
        }
    }

    private static func isRelease(_ input: DesktopInput) -> Bool {
        switch input {
        case .button(_, let isDown), .key(_, let isDown), .keysym(_, let isDown): !isDown
        case .move, .moveBy, .scroll: false
        }
    }

    /// Returns an input that has the effect of both; `nil` if there is none.
    private static func merged(_ first: DesktopInput, _ second: DesktopInput) -> DesktopInput? {
        switch (first, second) {
        case (.move, .move): second
        case (.moveBy(let x, let y), .moveBy(let dx, let dy)): .moveBy(x: x + dx, y: y + dy)
        case (.scroll(let isHorizontal, let detents), .scroll(let isSame, let more)) where isHorizontal == isSame:
            .scroll(isHorizontal: isHorizontal, detents: Int32(clamping: Int(detents) + Int(more)))
        default: nil
        }
    }

    private func call(_ input: DesktopInput) {
        guard let message = message(input) else { return }
        bus.post(message) { [weak self] isAnswered in self?.next(isAnswered) }
    }

    private func next(_ isAnswered: Bool) {
        let next = state.withLock { state -> DesktopInput? in
            if !isAnswered { state.waiting = [] }
            state.isCalling = !state.waiting.isEmpty
            return state.isCalling ? state.waiting.removeFirst() : nil
        }
        if let next { call(next) }
    }

    /// Returns the call for an input; `nil` for a monitor that is not this session's.
    private func message(_ input: DesktopInput) -> DBusMessage? {
        let (member, arguments): (String, [DBusValue])
        switch input {
        case .move(let monitor, let x, let y, let size):
            guard let stream = streams.first(where: { $0.monitor.id == monitor }) else { return nil }
            // In the desktop's own units, in which the stream's size was told; pictures may have more pixels.
            let own = stream.monitor.rect
            let isKnown = own.width > 1 && own.height > 1 && !PixelRect(size).isEmpty
            (member, arguments) = (
                "NotifyPointerMotionAbsolute",
                [
                    .uint32(stream.node), .double(isKnown ? x * Double(own.width) / Double(size.width) : x),
                    .double(isKnown ? y * Double(own.height) / Double(size.height) : y),
                ]
            )
        case .moveBy(let x, let y): (member, arguments) = ("NotifyPointerMotion", [.double(x), .double(y)])
        case .button(let code, let isDown):
            (member, arguments) = ("NotifyPointerButton", [.int32(code), .uint32(isDown ? 1 : 0)])
        case .scroll(let isHorizontal, let detents):
            (member, arguments) = ("NotifyPointerAxisDiscrete", [.uint32(isHorizontal ? 1 : 0), .int32(detents)])
        case .key(let code, let isDown):
            (member, arguments) = (
                "NotifyKeyboardKeycode", [.int32(Int32(clamping: code)), .uint32(isDown ? 1 : 0)]
            )
        case .keysym(let keysym, let isDown):
            (member, arguments) = (
                "NotifyKeyboardKeysym", [.int32(Int32(clamping: keysym)), .uint32(isDown ? 1 : 0)]
            )
        }
        return .call(
            PortalRequest.service, PortalRequest.object, "org.freedesktop.portal.RemoteDesktop", member,
            [.path(session), .options([:])] + arguments)
    }
}
