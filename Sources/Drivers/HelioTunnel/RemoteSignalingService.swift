public import HelioCore
internal import HelioHost
internal import HelioPeer
package import HelioRemoteWire
package import HelioRendezvousWire
public import HelioSignaling
package import NIOCore

/// A signalling service for browsers on any network: their pages come from a rendezvous, and their messages by calls
/// through it, sealed end to end. To its receiver each call is a connection like a WebSocket of
/// `LocalSignalingService`. Lives on one event loop, that of the tunnels.
///
///     let service = RemoteSignalingService(on: loop) { tunnels.released($0) }
///     host.browser = service.serve
///
/// Unchecked, as everything is used on the loop alone, but for the methods that hop to it.
public final class RemoteSignalingService: SignalingService, @unchecked Sendable {
    /// The longest wait for the addresses of the servers that the rendezvous lends.
    private static let resolving = Duration.seconds(2)

    let loop: any EventLoop
    /// Called once a call has ended, with `HostTunnels.released`.
    private let released: (SealedCall) -> Void
    /// The source of the service's calls; `nil` if a host hands them to it.
    private let source: (any SignalingCallSource)?
    private var receiver: ((SignalingEvent) -> Void)?
    private var connections: [UInt64: RemoteSignalingConnection] = [:]
    private var lastID: UInt64 = 0
    private var counts = SignalingStatistics()
    private var drops = DropCounter<RemoteSignalingDrop>()

    /// - Parameter released: called on the loop with each call that has ended.
    package init(on loop: any EventLoop, released: @escaping (SealedCall) -> Void) {
        self.loop = loop
        self.released = released
        source = nil
    }

    /// Makes a service that has its calls from a source of its own.
    package init(on loop: any EventLoop, by source: any SignalingCallSource) {
        self.loop = loop
        released = { source.released($0) }
        self.source = source
    }

    /// The link by which clients call, with its secret: the page of the rendezvous server, `#`, this device's name
    /// there and the code. Empty if the service is part of a host, which makes links itself.
    public var link: String { source?.link ?? "" }

    // MARK: The service

    /// Begins to admit calls. Throws `systemFailed` if the network's loop has ended.
    public func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError) {
        do {
            try await loop.submit { [self] in begin(receiver) }.get()
        } catch {
            throw HelioError(.systemFailed, "The network's loop has ended.", cause: error)
        }
    }

    /// Begins to admit calls; `start` for a caller on the loop.
    package func begin(_ receiver: @escaping (SignalingEvent) -> Void) {
        loop.preconditionInEventLoop()
        self.receiver = receiver
        source?.begin(self)
    }

    /// Ends all calls and admits no more.
    public func stop() async { try? await loop.submit { [self] in end() }.get() }

    /// Ends all calls and admits no more; `stop` for a caller on the loop.
    package func end() {
        loop.preconditionInEventLoop()
        for connection in connections.values.sorted(by: { $0.id < $1.id }) { connection.close() }
        receiver = nil
        source?.end()
    }

    /// Returns the counts since the start.
    public func statistics() async -> SignalingStatistics {
        (try? await loop.submit { [self] in currentStatistics }.get()) ?? SignalingStatistics()
    }

    /// The statistics, for a caller on the loop.
    package var currentStatistics: SignalingStatistics {
        var statistics = counts
        statistics.connections = connections.count
        statistics.talking = connections.count
        statistics.drops = drops.byName
        return statistics
    }

    // MARK: Calls

    /// Takes a browser's call: `HostTunnels.Host.browser`. On the loop only.
    package func serve(_ call: SealedCall, _ hello: SignalingMessage, from address: String, _ lent: [TURNEntry]) {
        loop.preconditionInEventLoop()
        guard receiver != nil else {
            drop(.notServing)
            call.hangUp(.busy)
            return released(call)
        }
        lastID += 1
        let connection = RemoteSignalingConnection(lastID, call, first: hello.serialised(), from: address, self)
        connections[connection.id] = connection
        guard !lent.isEmpty else { return connection.open() }
        let resolution = TunnelServers(
            TunnelSettings(), lent: lent, isNear: call.lendsNearServers, on: loop)
        connection.resolution = resolution
        resolution.resolve(within: Self.resolving) { [weak self, weak connection] found, _ in
            self?.drops.count(.privateServer, found.setAside[.privateServer])
            connection?.servers = WebServers(stun: found.stunServers, turn: found.turnServers)
            connection?.open()
        }
    }

    func tell(_ event: SignalingEvent) { receiver?(event) }

    func drop(_ reason: RemoteSignalingDrop) { drops.count(reason) }

    func count(sent: Int = 0, received: Int = 0) {
        counts.messagesSent += sent
        counts.messagesReceived += received
    }

    /// Frees a connection whose call has ended, and tells the receiver if it knows the connection.
    func ended(_ connection: RemoteSignalingConnection, tells: Bool, isLater: Bool) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        let receiver = tells ? receiver : nil
        guard isLater else {
            receiver?(.closed(connection))
            return released(connection.call)
        }
        let box = NIOLoopBound((connection, receiver), eventLoop: loop)
        loop.execute { [self] in
            let (connection, receiver) = box.value
            receiver?(.closed(connection))
            released(connection.call)
        }
    }
}
