#if os(Linux)
internal import CNATS
private import Synchronization

/// Who is called by the NATS library, on its own threads.
///
/// The library may call once more after a connection was destroyed, so it knows no object: each connection has a
/// number, which is forgotten with it.
enum NATSCallbacks {
    struct Receiver: Sendable {
        var message: @Sendable (UnsafeBufferPointer<UInt8>) -> Void = { _ in }
        /// The library has dropped messages that were not taken in time.
        var overrun: @Sendable () -> Void = {}
        var closed: @Sendable () -> Void = {}
        /// The server does not permit this user a subject.
        var denied: @Sendable () -> Void = {}
        /// JetStream has refused a message.
        var refused: @Sendable () -> Void = {}
    }

    private struct State {
        var next: UInt = 1
        var receivers: [UInt: Receiver] = [:]
    }

    private static let state = Mutex(State())

    static func add(_ receiver: Receiver) -> UInt {
        state.withLock { state in
            defer { state.next += 1 }
            state.receivers[state.next] = receiver
            return state.next
        }
    }

    static func remove(_ number: UInt) { _ = state.withLock { $0.receivers.removeValue(forKey: number) } }

    /// The number as the library hands it back.
    static func closure(_ number: UInt) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

    private static func receiver(_ closure: UnsafeMutableRawPointer?) -> Receiver? {
        let number = UInt(bitPattern: closure)
        return state.withLock { $0.receivers[number] }
    }

    static let message: natsMsgHandler = { _, _, message, closure in
        defer { natsMsg_Destroy(message) }
        let count = Int(natsMsg_GetDataLength(message))
        guard let receiver = receiver(closure), count >= 0 else { return }
        guard count > 0, let data = natsMsg_GetData(message) else {
            return receiver.message(UnsafeBufferPointer(start: nil, count: 0))
        }
        data.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            receiver.message(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    static let error: natsErrHandler = { _, _, status, closure in
        switch status {
        case NATS_SLOW_CONSUMER: receiver(closure)?.overrun()
        case NATS_NOT_PERMITTED: receiver(closure)?.denied()
        default: break
        }
    }

    static let closed: natsConnectionHandler = { _, closure in receiver(closure)?.closed() }

    static let refused: jsPubAckErrHandler = { _, _, closure in receiver(closure)?.refused() }
}
#endif
