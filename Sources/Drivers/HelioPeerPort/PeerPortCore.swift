internal import HelioCore
internal import HelioGround
internal import HelioICE
internal import HelioLoop
internal import HelioPeer
internal import HelioSTUN
internal import HelioTURN
internal import NIOCore
private import NIOPosix

/// The state of a ``PeerPort`` on its event loop: sockets, connections and peers.
final class PeerPortCore {
    let loop: any EventLoop
    let settings: PeerPortSettings
    var drops = DropCounter<PeerPortDrop>()
    var peers: [UInt64: PeerDriver] = [:]
    private var nextPeer: UInt64 = 0
    private(set) var isClosed = false

    /// The sockets, in the order in which they become candidates.
    var sockets: [PeerSocket] = []
    var socketOf: [TransportAddress: PeerSocket] = [:]
    var listeners: [(base: TransportAddress, channel: any Channel)] = []
    /// The timer that polls for new addresses.
    var watch: RepeatedTask?
    /// The addresses at which sockets are being opened.
    var opening: Set<IPAddress> = []
    var streams: [RouteTable.Way: PeerStream] = [:]
    /// The number of connections that are being made, by peer.
    var connecting: [UInt64: Int] = [:]
    private var links: [UInt64: [TURNServer.ID: TURNLink]] = [:]
    private lazy var trust = TURNTrust(authorities: settings.authorities)
    private lazy var resolver = MulticastResolver(settings.multicast, on: loop)

    private var names: [String: UInt64] = [:]
    /// The ICE user names of each peer, newest last. The previous name stays valid until an ICE restart is complete.
    private var namesOf: [UInt64: [String]] = [:]
    private static let maximumNames = 4
    private var routes = RouteTable()
    private var transactions: TransactionTable

    private var dirty: [any PortFlushable] = []
    private var dirtyNames: Set<ObjectIdentifier> = []
    private var isFlushScheduled = false
    private var counts = PeerPortStatistics()

    init(_ settings: PeerPortSettings, loop: any EventLoop) {
        self.settings = settings
        self.loop = loop
        transactions = TransactionTable(capacity: min(65_536, max(1024, 64 * settings.maximumPeers)))
    }

    var statistics: PeerPortStatistics {
        var statistics = counts
        statistics.peers = peers.count
        statistics.connections = streams.count
        statistics.drops = drops.byName
        return statistics
    }

    // MARK: Opening and closing

    func bindUDP(_ address: TransportAddress) -> EventLoopFuture<UInt16> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return PeerSocket.bind(
            address, on: loop,
            received: { [weak self] bytes, remote, base in
                self?.received(bytes, RouteTable.Way(base: base, remote: remote))
            },
            settled: { [weak self] in self?.flush() }
        ).map { socket in
            let (core, socket) = (bound.value, socket.value)
            core.sockets.append(socket)
            core.socketOf[socket.base] = socket
            return socket.base.port
        }
    }

    func bindTCP(_ address: TransportAddress) -> EventLoopFuture<UInt16> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 128)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
            }
            .bind(to: address.socketAddress)
            .flatMapThrowing { channel in
                guard let base = channel.localAddress.flatMap({ TransportAddress($0, .tcp) }) else {
                    throw ChannelError.unknownLocalAddress
                }
                bound.value.listeners.append((base, channel))
                return base.port
            }
    }

    /// Closes all sockets, for another attempt to bind.
    func unbind() -> EventLoopFuture<Void> {
        for socket in sockets { socket.close() }
        (sockets, socketOf) = ([], [:])
        let closing = listeners.map { $0.channel.close() }
        listeners = []
        return EventLoopFuture.andAllComplete(closing, on: loop)
    }

    func close() -> EventLoopFuture<Void> {
        guard !isClosed else { return loop.makeSucceededVoidFuture() }
        for peer in Array(peers.values) { remove(peer) }
        isClosed = true
        watch?.cancel()
        resolver.close()
        for stream in streams.values { stream.close() }
        return unbind()
    }

    // MARK: Peers

    func add(
        _ make: (Instant) throws -> PeerEngine, onEvent: @escaping (PeerConnectionEvent) -> Void
    ) throws -> PeerDriver {
        loop.preconditionInEventLoop()
        guard !isClosed else { throw HelioError(.ended, "The WebRTC port is closed: open another.") }
        guard peers.count < settings.maximumPeers else {
            throw HelioError(
                .refused, "\(peers.count) peers are connected, and no more are let in: close some, or allow for more.")
        }
        nextPeer += 1
        let peer = PeerDriver(try make(MonotonicClock.now), number: nextPeer, port: self, onEvent: onEvent)
        peers[peer.number] = peer
        for candidate in candidates { peer.take(.localCandidate(candidate)) }
        peer.take(.localCandidatesEnded)
        return peer
    }

    /// The port's candidates, in descending order of preference.
    var candidates: [LocalCandidate] {
        // TCP candidates use only the upper 13 bits of a preference.
        func preference(_ index: Int) -> UInt16 { .max - UInt16(index * 8) }
        var all = sockets.enumerated().map { LocalCandidate.host($1.base, preference: preference($0)) }
        for (index, base) in acceptingBases.enumerated() {
            all.append(.tcpPassive(base, preference: preference(index)))
            all.append(.tcpActive(base.ip, preference: preference(index)))
        }
        return all
    }

    /// The addresses at which TCP connections are accepted, by the port's own listeners or by the listener at
    /// `sharedTCPPort`.
    private var acceptingBases: [TransportAddress] {
        guard settings.usesTCP, let port = settings.sharedTCPPort else { return listeners.map(\.base) }
        return sockets.map { TransportAddress($0.base.ip, port: port, transport: .tcp) }
    }

    func remove(_ peer: PeerDriver) {
        guard peers.removeValue(forKey: peer.number) != nil else { return }
        peer.stop()
        for name in namesOf.removeValue(forKey: peer.number) ?? [] { names[name] = nil }
        routes.removeAll(of: peer.number)
        for link in (links.removeValue(forKey: peer.number) ?? [:]).values { link.close() }
        resolver.forget(peer.number)
        flush()
        for stream in streams.values where stream.owner == peer.number { stream.close() }
    }

    /// Registers an ICE user name of this peer, by which its connectivity checks are recognised.
    func learn(_ name: String, of peer: PeerDriver) {
        guard names[name] == nil, peers[peer.number] != nil else { return }
        names[name] = peer.number
        namesOf[peer.number, default: []].append(name)
        if let all = namesOf[peer.number], all.count > Self.maximumNames {
            names[all[0]] = nil
            namesOf[peer.number]?.removeFirst()
        }
    }

    // MARK: Incoming packets

    func received(_ bytes: [UInt8], _ way: RouteTable.Way) {
        counts.packetsReceived += 1
        counts.bytesReceived += bytes.count
        guard let peer = addressee(of: bytes, way) else { return }
        if way.base.transport == .tcp, let stream = streams[way], stream.owner == nil { stream.owner = peer.number }
        let isSTUN = DatagramKind(bytes.span.bytes) == .stun
        peer.take(.datagram(bytes, from: way.remote, onLocal: way.base))
        // An ICE-lite peer sends no checks, so the first packet that it sends besides responses may not be STUN.
        guard isSTUN, routes[way] != peer.number, peers[peer.number] != nil, peer.isProven(at: way) else { return }
        show(peer, at: way)
    }

    private func addressee(of bytes: [UInt8], _ way: RouteTable.Way) -> PeerDriver? {
        switch DatagramKind(bytes.span.bytes) {
        case .stun: return addresseeOfSTUN(bytes, way)
        case .dtls, .rtp, .rtcp, .plain:
            guard let number = routes[way], let peer = peers[number] else { return drop(.stranger) }
            return peer
        case .zrtp, .channelData, .unknown: return drop(.junk)
        }
    }

    private func addresseeOfSTUN(_ bytes: [UInt8], _ way: RouteTable.Way) -> PeerDriver? {
        guard let message = try? STUNPacket(parsing: bytes.span.bytes).message else { return drop(.malformedSTUN) }
        switch message.kind {
        case .request:
            guard let user = message.username,
                let number = names[String(Substring(user.utf8.prefix { $0 != UInt8(ascii: ":") }))],
                let peer = peers[number]
            else { return drop(.unknownUser) }
            return peer
        case .success, .error:
            guard let number = transactions[message.transaction], let peer = peers[number] else {
                return drop(.unknownTransaction)
            }
            return peer
        case .indication:
            guard let number = routes[way], let peer = peers[number] else { return drop(.stranger) }
            return peer
        }
    }

    private func drop(_ reason: PeerPortDrop) -> PeerDriver? {
        drops.count(reason)
        return nil
    }

    // MARK: Outgoing packets

    func send(_ bytes: [UInt8], from base: TransportAddress, to remote: TransportAddress, by peer: PeerDriver) {
        let way = RouteTable.Way(base: base, remote: remote)
        note(bytes, way, peer)
        let isTaken: Bool
        switch base.transport {
        case .udp:
            guard let socket = socketOf[base] else { return drops.count(.noSocket) }
            isTaken = socket.send(bytes, to: remote)
            if isTaken { flushLater(socket) } else { drops.count(.noSocket) }
        case .tcp:
            guard let stream = streams[way] else { return drops.count(.noSocket) }
            guard bytes.count <= PeerStream.largestPacket else { return drops.count(.oversized) }
            isTaken = stream.send(bytes)
            if isTaken { flushLater(stream) } else { drops.count(.streamFull) }
        }
        guard isTaken else { return }
        counts.packetsSent += 1
        counts.bytesSent += bytes.count
    }

    /// Records the transaction of a sent STUN request. For packets that are only sent to a verified peer, records that
    /// the peer is at the destination.
    private func note(_ bytes: [UInt8], _ way: RouteTable.Way, _ peer: PeerDriver) {
        let span = bytes.span.bytes
        guard DatagramKind(span) == .stun else { return show(peer, at: way) }
        // The mask selects the two bits of the message's class (RFC 8489 section 5).
        switch span.uint16(at: 0).map({ $0 & 0x0110 }) {
        case 0x0000:
            guard let high = span.uint32(at: 8), let low = span.uint64(at: 12) else { return }
            transactions.insert(STUNTransactionID(high: high, low: low), of: peer.number)
        // A success response: the engine answers only checks made with its password.
        case 0x0100: show(peer, at: way)
        default: break
        }
    }

    private func show(_ peer: PeerDriver, at way: RouteTable.Way) {
        guard routes.show(peer.number, at: way, now: MonotonicClock.now) else {
            return drops.count(.contestedAddress)
        }
        if way.base.transport == .tcp { streams[way]?.isProven = true }
    }

    /// Schedules one flush for all packets that are sent in an event-loop tick.
    func flushLater(_ item: any PortFlushable) {
        if dirtyNames.insert(ObjectIdentifier(item)).inserted { dirty.append(item) }
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.flush() }
    }

    func flush() {
        isFlushScheduled = false
        guard !dirty.isEmpty else { return }
        let items = dirty
        dirty.removeAll(keepingCapacity: true)
        dirtyNames.removeAll(keepingCapacity: true)
        for item in items {
            item.flush()
            let refused = item.takeRefused()
            if refused > 0 { drops.count(.refused, refused) }
        }
    }

    /// Removes a connection that has ended.
    func closed(_ stream: PeerStream) {
        guard streams[stream.way] === stream else { return }
        streams[stream.way] = nil
        routes.remove(stream.way)
        guard let owner = stream.owner, let peer = peers[owner] else { return }
        peer.take(.disconnected(from: stream.way.base, to: stream.way.remote))
        flush()
    }

    // MARK: Names and servers

    func resolve(_ name: String, for peer: PeerDriver) {
        let number = peer.number
        // Queries can be sent only from IPv4 sockets, but the answer may have addresses of both families.
        let places = sockets.map(\.base.ip) + listeners.map(\.base.ip)
        let isAsked = resolver.ask(name, from: places, for: number) { [weak self] addresses in
            self?.peers[number]?.take(.resolved(name, addresses))
            self?.flush()
        }
        if !isAsked {
            drops.count(.tooManyRequests)
            peer.take(.resolved(name, []))
        }
    }

    func serve(_ id: TURNServer.ID, _ command: RelayCommand, for peer: PeerDriver) {
        let number = peer.number
        switch command {
        case .open(let server, let isTCP, let tlsName):
            links[number]?.removeValue(forKey: id)?.close()
            guard peers[number] != nil, links[number, default: [:]].count < settings.maximumServersPerPeer else {
                drops.count(.tooManyRequests)
                return peer.take(.server(id, .disconnected))
            }
            let link = TURNLink(
                server, isTCP: isTCP, tls: tlsName.map { .init(trust: trust, name: $0) },
                maximumWaiting: settings.maximumWaiting,
                tell: { [weak self] event in self?.peers[number]?.take(.server(id, event)) },
                settled: { [weak self] in self?.flush() })
            links[number, default: [:]][id] = link
            link.open(on: loop)
        case .send(let bytes):
            guard let link = links[number]?[id] else { return drops.count(.noSocket) }
            guard link.send(bytes) else { return drops.count(.streamFull) }
            flushLater(link)
        case .close: links[number]?.removeValue(forKey: id)?.close()
        }
    }
}
