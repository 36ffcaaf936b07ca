import HelioCore
import Heliograph
import Synchronization

/// A signalling service of an app's own, whose clients the test is.
final class OwnSignaling: SignalingService {
    private let receiver = Mutex<(@Sendable (SignalingEvent) -> Void)?>(nil)
    private let stops = Atomic(0)

    func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError) {
        self.receiver.withLock { $0 = receiver }
    }

    func stop() async { stops.add(1, ordering: .relaxed) }

    var isStarted: Bool { receiver.withLock { $0 != nil } }
    var stopCount: Int { stops.load(ordering: .relaxed) }

    func tell(_ event: SignalingEvent) { receiver.withLock { $0 }?(event) }

    /// Opens a connection.
    ///
    /// - Parameter reportsClosing: false for one that never reports its end.
    func connection(_ id: UInt64, reportsClosing: Bool = true) -> OwnConnection {
        let connection = OwnConnection(id, reportsClosing ? self : nil)
        tell(.opened(connection))
        return connection
    }
}

/// A connection of an `OwnSignaling`.
final class OwnConnection: SignalingConnection {
    let id: UInt64
    let remoteAddress = "192.0.2.7"
    let isSecure = true
    /// The messages of the host; ends when the host closes the connection.
    let sent: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation
    private let admission = Atomic(false)
    private let service: OwnSignaling?

    init(_ id: UInt64, _ service: OwnSignaling?) {
        self.id = id
        self.service = service
        (sent, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    }

    var isAdmitted: Bool {
        get { admission.load(ordering: .relaxed) }
        set { admission.store(newValue, ordering: .relaxed) }
    }

    func send(_ message: [UInt8]) { continuation.yield(message) }

    func close() {
        continuation.finish()
        // Never from within this call.
        if let service { Task { service.tell(.closed(self)) } }
    }

    func say(_ bytes: [UInt8], by service: OwnSignaling) { service.tell(.message(self, bytes)) }
}
