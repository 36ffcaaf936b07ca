internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioPeer
internal import NIOCore
private import NIOPosix

// ICE-TCP connections (RFC 6544), both accepted ones and those that engines request.

extension PeerPortCore {
    private static let connectTimeout = TimeAmount.seconds(10)

    func accept(_ channel: any Channel) throws {
        guard let base = channel.localAddress.flatMap({ TransportAddress($0, .tcp) }),
            let remote = channel.remoteAddress.flatMap({ TransportAddress($0, .tcp) })
        else { return channel.close(promise: nil) }
        guard streams.count < settings.maximumConnections,
            streams.values.count(where: { !$0.isProven }) < settings.maximumUnproven
        else {
            drops.count(.tooManyConnections)
            return channel.close(promise: nil)
        }
        _ = try run(channel, RouteTable.Way(base: base, remote: remote), owner: nil)
    }

    func connect(from: TransportAddress, to: TransportAddress, for peer: PeerDriver) {
        let number = peer.number
        let owned = streams.values.count { $0.owner == number } + connecting[number, default: 0]
        guard peers[number] != nil, owned < settings.maximumConnectionsPerPeer,
            streams.count + connecting.values.reduce(0, +) < settings.maximumConnections
        else {
            drops.count(.tooManyConnections)
            return peer.take(.disconnected(from: from, to: to))
        }
        connecting[number, default: 0] += 1
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // No bytes may be read before the engine knows the connection.
            .channelOption(.autoRead, value: false)
            .bind(to: TransportAddress(from.ip, port: 0).socketAddress)
            .connect(to: to.socketAddress)
            .whenComplete { result in bound.value.connected(result, from: from, to: to, for: number) }
    }

    private func connected(
        _ result: Result<any Channel, any Error>, from: TransportAddress, to: TransportAddress, for number: UInt64
    ) {
        connecting[number] = connecting[number].flatMap { $0 > 1 ? $0 - 1 : nil }
        guard let peer = peers[number] else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        guard case .success(let channel) = result,
            let local = channel.localAddress.flatMap({ TransportAddress($0, .tcp) }),
            (try? run(channel, RouteTable.Way(base: local, remote: to), owner: number)) != nil
        else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            peer.take(.disconnected(from: from, to: to))
            return flush()
        }
        peer.take(.connected(from: from, to: to, local: local))
        flush()
        channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
    }

    private func run(_ channel: any Channel, _ way: RouteTable.Way, owner: UInt64?) throws -> PeerStream {
        let stream = PeerStream(channel, way, owner: owner, maximumWaiting: settings.maximumWaiting)
        try channel.pipeline.syncOperations.addHandler(
            PeerStreamHandler(
                received: { [weak self, weak stream] bytes in
                    if let self, let stream { received(bytes, by: stream) }
                },
                settled: { [weak self] in self?.flush() },
                closed: { [weak self, stream] in self?.closed(stream) }))
        streams[way] = stream
        watch(stream, after: settings.provingTimeout)
        return stream
    }

    private func received(_ bytes: [UInt8], by stream: PeerStream) {
        guard let packets = stream.packets(of: bytes) else {
            drops.count(.oversized)
            return stream.close()
        }
        for packet in packets where streams[stream.way] === stream {
            received(packet, stream.way)
            // The first packet must be a connectivity check for one of the peers.
            if stream.owner == nil { return stream.close() }
            guard isWelcome(stream) else {
                drops.count(.tooManyConnections)
                return stream.close()
            }
        }
    }

    private func isWelcome(_ stream: PeerStream) -> Bool {
        guard !stream.isProven, let owner = stream.owner else { return true }
        return streams.values.count { $0.owner == owner } <= settings.maximumConnectionsPerPeer
    }

    /// Schedules the check that closes a connection whose remote end did not authenticate in time, or that was idle for
    /// too long.
    private func watch(_ stream: PeerStream, after delay: Duration) {
        let bound = NIOLoopBound((self, stream), eventLoop: loop)
        loop.scheduleTask(in: .nanoseconds(delay.nanoseconds)) {
            let (core, stream) = bound.value
            guard core.streams[stream.way] === stream else { return }
            guard stream.isProven else {
                core.drops.count(.unproven)
                return stream.close()
            }
            let end = stream.heardAt + core.settings.idleTimeout
            let now = MonotonicClock.now
            if now >= end { return stream.close() }
            core.watch(stream, after: max(end - now, .milliseconds(1)))
        }
    }
}
