internal import HelioCore
private import HelioRemoteWire
internal import HelioSignaling
internal import NIOCore
private import Synchronization

/// A signalling service that an app has given to a source, and the browsers that come by it (requirement row 126).
///
/// The service calls on threads of its own; the events go on to the source's event loop, within bounds.
final class AppSignaling: RunningPart {
    /// The number of connections at once.
    private static let mostConnections = 256
    /// The number of bytes of messages that may wait for the source.
    private static let mostWaiting = 1 << 20

    private let service: any SignalingService
    private let loop: any EventLoop
    private let gate: NIOLoopBound<AppSignalingGate>
    private let waiting = Atomic(0)
    private let isOver = Atomic(false)

    /// - Parameter callers: takes the connections, on the source's loop.
    init(_ service: any SignalingService, for callers: NIOLoopBound<WebCallers>) async {
        self.service = service
        let loop = callers.eventLoop
        self.loop = loop
        gate = await withCheckedContinuation { continuation in
            loop.execute {
                let gate = AppSignalingGate(callers.value, most: Self.mostConnections)
                continuation.resume(returning: NIOLoopBound(gate, eventLoop: loop))
            }
        }
    }

    /// Starts the service, whose browsers the source admits from now on. Throws the service's error.
    func start() async throws(HelioError) {
        try await service.start { [weak self] in self?.take($0) }
    }

    /// Takes an event, on any thread.
    private func take(_ event: SignalingEvent) {
        // The loop ends with the source.
        if isOver.load(ordering: .acquiring) { return }
        guard case .message(let connection, let bytes) = event else {
            return loop.execute { [gate] in gate.value.take(event) }
        }
        if bytes.count > SignalingMessage.maximumSize { return refuse(connection, .oversizedMessage) }
        let size = bytes.count
        guard waiting.add(size, ordering: .relaxed).newValue <= Self.mostWaiting else {
            waiting.subtract(size, ordering: .relaxed)
            return refuse(connection, .tooMuchWaiting)
        }
        loop.execute { [self] in
            waiting.subtract(size, ordering: .relaxed)
            gate.value.take(event)
        }
    }

    private func refuse(_ connection: any SignalingConnection, _ reason: AppSignalingDrop) {
        loop.execute { [gate] in gate.value.refuse(connection, reason) }
    }

    /// Counts of drops by name.
    func drops() async -> [String: Int] {
        let own = try? await loop.submit { [gate] in gate.value.drops.byName }.get()
        let services = await service.statistics().drops
        return .sum((own ?? [:]).named("signaling-"), services.named("signaling-"))
    }

    /// Ends the service. Called after the source's server has stopped, whose goodbyes the service still delivers.
    func stop() async {
        await service.stop()
        isOver.store(true, ordering: .releasing)
    }
}

/// Passes the events of the connections that a source has room for. Used on the source's event loop only.
final class AppSignalingGate {
    private let callers: WebCallers
    private let most: Int
    private var open: Set<ObjectIdentifier> = []
    private(set) var drops = DropCounter<AppSignalingDrop>()

    /// - Parameter most: the number of connections at once.
    init(_ callers: WebCallers, most: Int) {
        self.callers = callers
        self.most = most
    }

    func take(_ event: SignalingEvent) {
        switch event {
        case .opened(let connection):
            guard open.count < most else {
                drops.count(.tooManyConnections)
                return connection.close()
            }
            guard open.insert(ObjectIdentifier(connection)).inserted else { return drops.count(.unexpected) }
            callers.take(event)
        case .message(let connection, _):
            guard open.contains(ObjectIdentifier(connection)) else { return drops.count(.unexpected) }
            callers.take(event)
        case .closed(let connection):
            // A connection that was refused has ended here already.
            guard open.remove(ObjectIdentifier(connection)) != nil else { return }
            callers.take(event)
        }
    }

    /// Closes a connection, and counts the reason.
    func refuse(_ connection: any SignalingConnection, _ reason: AppSignalingDrop) {
        guard open.remove(ObjectIdentifier(connection)) != nil else { return drops.count(.unexpected) }
        drops.count(reason)
        callers.take(.closed(connection))
        connection.close()
    }
}
