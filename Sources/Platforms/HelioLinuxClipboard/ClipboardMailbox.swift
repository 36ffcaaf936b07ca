import Glibc
import HelioCore
import HelioGround
import Synchronization

/// The mailbox between the clipboard's thread and all other threads.
final class ClipboardMailbox: Sendable {
    enum Call: Sendable {
        case offer([ClipboardEntry])
        case withdraw
        case read(ClipboardFormat, ClipboardSerial, limit: Int, ClipboardReadID)
        case provide(PasteID, Result<[UInt8], ClipboardFailure>)
    }

    private struct State {
        var calls: [Call] = []
        /// The connection's file descriptor; `nil` while the connection is not open.
        var descriptor: Int32?
        var isStopped = false
        var statistics = ClipboardAccessStatistics()
    }

    /// The maximum number of queued calls, which a correct caller does not reach; further calls are dropped.
    private static let mostCalls = 256

    private let state = Mutex(State())
    let wakeup: Wakeup
    /// Signalled when the thread has ended.
    let ended: Wakeup
    private let handler: @Sendable (ClipboardEvent) -> Void

    init(_ handler: @escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) {
        wakeup = try Wakeup()
        ended = try Wakeup()
        self.handler = handler
    }

    // MARK: Any thread

    func put(_ call: Call) {
        state.withLock { state in
            // A new offer or a withdrawal replaces queued offers.
            switch call {
            case .offer, .withdraw: state.calls.removeAll { if case .offer = $0 { true } else { false } }
            default: break
            }
            guard state.calls.count < Self.mostCalls else {
                return count(.callDropped, &state)
            }
            state.calls.append(call)
        }
        wakeup.signal()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeup.signal()
    }

    /// Shuts the connection's socket down, which ends the thread's waits for the X server.
    func breakConnection() {
        state.withLock { state in
            if let descriptor = state.descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    var statistics: ClipboardAccessStatistics { state.withLock { $0.statistics } }

    // MARK: The clipboard's thread

    /// Sets the connection's file descriptor.
    ///
    /// - Parameter descriptor: `nil` before the connection is closed.
    func setDescriptor(_ descriptor: Int32?) { state.withLock { $0.descriptor = descriptor } }

    /// Returns the calls that were queued since the last `takeCalls`; `nil` after `stop`.
    func takeCalls() -> [Call]? {
        wakeup.take()
        return state.withLock { state in
            if state.isStopped { return nil }
            defer { state.calls = [] }
            return state.calls
        }
    }

    func tell(_ event: ClipboardEvent) {
        if state.withLock({ $0.isStopped }) { return }
        handler(event)
    }

    func count(_ drop: X11ClipboardDrop) { state.withLock { count(drop, &$0) } }

    func count(named drop: String) { state.withLock { $0.statistics.drops[drop, default: 0] += 1 } }

    func count(_ change: (inout ClipboardAccessStatistics) -> Void) { state.withLock { change(&$0.statistics) } }

    private func count(_ drop: X11ClipboardDrop, _ state: inout State) {
        state.statistics.drops[drop.rawValue, default: 0] += 1
    }
}
