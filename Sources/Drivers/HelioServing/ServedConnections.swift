internal import HelioAdmission
internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioTLS
internal import NIOCore

/// The connections of one server, by TCP or through tunnels: their admission and eviction, and the bytes written to
/// each.
///
/// All bytes that the engine sends to a connection for one input are sent in one write. A connection has at most one
/// pending write: later bytes are queued, and while a peer does not read, its own input is not read either. The engine
/// counts the unsent bytes, and closes a connection that has too many. The object lives on one event loop.
final class ServedConnections<Owner: ConnectionOwner> {
    private struct Connection {
        let channel: any Channel
        let remote: PathID
        /// The peer's address as limits and people know it.
        let address: String
        /// The origin by which the peer is counted as a stranger.
        let origin: IPAddress
        /// The input that reports the connection to the engine once it is open.
        let opening: Owner.Input
        let end = SocketEnd()
        var isOpen = false
        var waiting = ByteBuffer()
        var isWriting = false
    }

    private static var handshakeTime: TimeAmount { .seconds(5) }
    /// The time limit for sending the last bytes of a connection that is being closed; after that, it is aborted.
    private static var farewellTime: TimeAmount { .seconds(1) }

    private let loop: any EventLoop
    private let limit: Int
    private let tls: TLSServerContext?
    /// The server of these connections; `nil` once it is released. The last bytes to its clients may then still be
    /// queued.
    weak var owner: Owner?
    private var connections: [ConnectionID: Connection] = [:]
    private var dirty: [ConnectionID] = []
    /// The limit of connections and TLS handshakes of strangers (clients that are not admitted yet): a handshake blocks
    /// the loop for milliseconds, and the loop also serves the media.
    private let strangers: StrangerLimit
    private(set) var drops = DropCounter<ConnectionDrop>()

    /// - Parameters:
    ///   - limit: the maximum number of connections, idle ones included, as each costs memory.
    ///   - tls: the TLS settings; `nil` without TLS.
    ///   - strangers: the limit of strangers' connections and TLS handshakes, which all ports of a host share.
    init(
        on loop: any EventLoop, limit: Int, tls: TLSServerContext? = nil, strangers: StrangerLimit = StrangerLimit()
    ) {
        self.loop = loop
        self.limit = limit
        self.tls = tls
        self.strangers = strangers
    }

    func remote(of id: ConnectionID) -> PathID? { connections[id]?.remote }

    // MARK: Admission

    /// Listens on a TCP port; with TLS, within the limit of strangers' connections. Returns the listening channel.
    ///
    /// - Parameter prepare: called with each connection before it gets its handlers.
    func listen(
        on address: String, port: Int, prepare: @escaping @Sendable (any Channel) -> Void = { _ in }
    ) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return StreamListener.bind(
            host: address, port: port, on: loop, limit: tls != nil ? strangers : nil,
            limited: { bound.value.drops.count($0 == .refused ? .tooOften : .acceptingPaused) },
            accept: {
                prepare($0)
                try bound.value.accept($0)
            })
    }

    private func accept(_ channel: any Channel) throws {
        guard let remote = channel.remoteAddress.flatMap({ PathID($0) }) else { return refuse(channel, .noAddress) }
        let address = remote.ip.description
        try add(channel, remote: remote, address: address, origin: remote.ip.origin) {
            .connected($0, address: address)
        }
    }

    /// Serves a connection that did not come by a listening port, within the same limits as one that did.
    ///
    /// - Parameters:
    ///   - path: the virtual path of the peer.
    ///   - address: the peer's IP address, by which it is limited. Peers without one share a limit.
    ///   - opening: makes the input that reports the connection to the engine, with the peer's address as text.
    func adopt(
        _ channel: any Channel, at path: PathID, from address: String,
        opening: (ConnectionID, _ address: String) -> Owner.Input
    ) {
        // The other end may have closed the connection meanwhile.
        guard channel.isActive else { return channel.close(promise: nil) }
        let now = MonotonicClock.now
        let ip = IPAddress(String(address.prefix { $0 != "%" }))?.unmapped
        if tls != nil {
            guard strangers.resumes(now: now) == nil else { return refuse(channel, .acceptingPaused) }
            guard strangers.mayArrive(ip, now: now) else { return refuse(channel, .tooOften) }
        }
        // The text comes from another machine, so only an address is shown to people.
        let text = ip?.description ?? "unknown"
        do {
            try add(channel, remote: path, address: text, origin: ip?.origin ?? path.ip.origin) { opening($0, text) }
        } catch {
            channel.close(promise: nil)
        }
    }

    private func refuse(_ channel: any Channel, _ reason: ConnectionDrop) {
        drops.count(reason)
        channel.close(promise: nil)
    }

    private func add(
        _ channel: any Channel, remote: PathID, address: String, origin: IPAddress,
        opening: (ConnectionID) -> Owner.Input
    ) throws {
        guard makeRoom(for: origin) else { return refuse(channel, .tooManyConnections) }
        guard let id = owner?.makeConnectionID() else { return channel.close(promise: nil) }
        let connection = Connection(
            channel: channel, remote: remote, address: address, origin: origin, opening: opening(id))
        connections[id] = connection
        do {
            try prepare(connection, id)
        } catch {
            connections[id] = nil
            throw error
        }
    }

    /// Gives a connection its handlers.
    private func prepare(_ connection: Connection, _ id: ConnectionID) throws {
        let pipeline = connection.channel.pipeline.syncOperations
        try pipeline.addHandler(connection.end)
        if let tls {
            try pipeline.addHandler(gate(for: connection.address, end: connection.end))
            try pipeline.addHandler(tls.handler())
        }
        try pipeline.addHandler(
            ByteStreamHandler(
                opened: { [weak self] _ in self?.opened(id) },
                received: { [weak self] bytes in self?.owner?.feed(.received(id, bytes)) },
                closed: { [weak self] _ in self?.closed(id) }))
        guard tls != nil else { return opened(id) }
        // A connection without a TLS handshake in time is closed.
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.handshakeTime) {
            guard let connection = bound.value.connections[id], !connection.isOpen else { return }
            bound.value.drops.count(.slowHandshake)
            connection.end.close()
        }
    }

    private func gate(for address: String, end: SocketEnd) -> HandshakeGate {
        HandshakeGate(
            mayBegin: { [weak self] in
                self?.strangers.mayBegin(address, now: MonotonicClock.now) ?? false
            },
            refused: { [weak self] in
                self?.drops.count(.tooFast)
                end.close()
            })
    }

    /// Makes room for a new connection: evicts a stranger if that is needed. Returns false if there is no room.
    private func makeRoom(for origin: IPAddress) -> Bool {
        let isFull = connections.count >= limit
        let strangers = connections.compactMap { id, connection in
            (connection.isOpen ? owner?.progress(of: id) : .silent).map {
                Stranger(id: id, origin: connection.origin, progress: $0)
            }
        }
        guard let weakest = Stranger.toMakeRoom(in: strangers, for: origin, isFull: isFull) else { return !isFull }
        drops.count(.madeRoom)
        connections[weakest.id]?.end.close()
        return true
    }

    private func opened(_ id: ConnectionID) {
        guard let opening = connections[id]?.opening else { return }
        connections[id]?.isOpen = true
        owner?.feed(opening)
    }

    private func closed(_ id: ConnectionID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if connection.isOpen { owner?.feed(.disconnected(id)) }
    }

    // MARK: Writing

    /// Queues bytes; `flush` writes them.
    func send(_ bytes: [UInt8], to id: ConnectionID) {
        guard let connection = connections[id] else { return }
        if connection.waiting.readableBytes == 0 { dirty.append(id) }
        connections[id]?.waiting.writeBytes(bytes)
    }

    /// Writes the queued bytes of all connections.
    func flush() {
        while let id = dirty.popLast() { flush(id) }
    }

    private func flush(_ id: ConnectionID) {
        guard let connection = connections[id], !connection.isWriting, connection.waiting.readableBytes > 0 else {
            return
        }
        let bytes = connection.waiting
        connections[id]?.waiting = ByteBuffer()
        connections[id]?.isWriting = true
        let written = connection.channel.writeAndFlush(bytes)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // A failed write closes the connection, which then reports its end.
        written.whenSuccess { bound.value.wrote(bytes.readableBytes, to: id) }
        // The kernel has usually accepted all bytes by now; if not, reading from this peer pauses.
        if !connection.channel.isWritable { read(false, from: connection.channel) }
    }

    private func wrote(_ count: Int, to id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connections[id]?.isWriting = false
        read(true, from: connection.channel)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // The write is reported on a later event-loop tick: the engine may have caused it in the present tick, and is
        // not re-entrant.
        loop.execute { bound.value.owner?.feed(.written(id, count)) }
        flush(id)
    }

    private func read(_ isOn: Bool, from channel: any Channel) {
        guard let options = channel.syncOptions, (try? options.getOption(.autoRead)) != isOn else { return }
        try? options.setOption(.autoRead, value: isOn)
    }

    // MARK: Closing

    /// Closes a connection once its queued bytes are sent, or at once if the peer does not read. Reading stops, too, as
    /// TLS would otherwise wait for seconds until the peer closes its side.
    func close(_ id: ConnectionID) {
        flush(id)
        guard let connection = connections[id] else { return }
        if connection.waiting.readableBytes > 0 || !connection.channel.isWritable { return connection.end.abort() }
        read(false, from: connection.channel)
        let end = NIOLoopBound(connection.end, eventLoop: loop)
        connection.channel.close(mode: .output).whenComplete { _ in end.value.close() }
        loop.scheduleTask(in: Self.farewellTime) { end.value.abort() }
    }

    func closeAll() {
        for id in connections.keys.sorted(by: { $0.rawValue < $1.rawValue }) { close(id) }
    }
}

/// The server that owns a `ServedConnections`.
protocol ConnectionOwner: AnyObject, SendableMetatype {
    associatedtype Input: ConnectionInput
    /// Makes the identifier of a new connection.
    func makeConnectionID() -> ConnectionID
    /// The engine's view of the progress of a connection that is not admitted yet; `nil` once it is admitted.
    func progress(of id: ConnectionID) -> Stranger.Progress?
    /// Passes an input to the engine.
    func feed(_ input: Input)
}

/// The reason why a connection was closed, or refused, before the engine was involved.
enum ConnectionDrop: String, Sendable, CaseIterable, Hashable {
    case tooManyConnections = "too-many-connections"
    /// A stranger was evicted for another connection.
    case madeRoom = "made-room"
    case slowHandshake = "slow-handshake"
    /// The limit for handshakes in a short time was exceeded, by one address or by all together.
    case tooFast = "too-fast"
    /// The limit for one address's connections in a short time was exceeded; the connection was closed as soon as
    /// accepted.
    case tooOften = "too-often"
    /// The limit for all addresses' connections in a short time was exceeded, so none was accepted for a while. Each
    /// such pause counts once.
    case acceptingPaused = "accepting-paused"
    case noAddress = "no-address"
}
