internal import HelioAdmission
internal import HelioCore
internal import HelioLoop
import HelioRTP
internal import HelioRTSPServer
internal import NIOCore

/// An `RTSPServer`'s state on its event loop: the engine, the sockets and the connections.
final class RTSPServerCore<E: RTSPServerEngine>: ConnectionOwner {
    private(set) var engine: EngineLoop<E>!
    private let loop: any EventLoop
    private let connections: ServedConnections<RTSPServerCore>
    private var listener: (any Channel)?
    private var media: DatagramPortPair?
    /// The paths that each track's media is expected from.
    private var expected: [PlainTrack: (rtp: PathID, rtcp: PathID)] = [:]
    private var nextConnection: UInt64 = 0

    init(_ server: E, loop: any EventLoop, limit: Int, onEvent: @escaping (E.Event) -> Void) {
        self.loop = loop
        connections = ServedConnections(on: loop, limit: limit)
        engine = EngineLoop(
            server, on: loop, perform: { [unowned self] in perform($0, onEvent) },
            settled: { [unowned self] in
                media?.flush()
                connections.flush()
            })
        connections.owner = self
    }

    private func perform(_ output: RTSPServerOutput<E.Event>, _ onEvent: (E.Event) -> Void) {
        switch output {
        case .send(let id, let bytes): connections.send(bytes, to: id)
        case .close(let id): connections.close(id)
        case .datagram(let bytes, let channel, let id, let port):
            guard let media, let remote = connections.remote(of: id) else { return }
            media[channel].send(bytes, to: remote.with(port: port))
        case .listen(let id, let track, let rtp, let rtcp):
            guard let remote = connections.remote(of: id) else { return }
            expected[track] = (remote.with(port: rtp), remote.with(port: rtcp))
        case .stopListening(let track): expected[track] = nil
        case .event(let event): onEvent(event)
        }
    }

    func makeConnectionID() -> ConnectionID {
        nextConnection += 1
        return ConnectionID(nextConnection)
    }

    func progress(of id: ConnectionID) -> Stranger.Progress? { engine.read { $0.progress(of: id) } }

    func feed(_ input: E.Input) { engine.feed(input) }

    /// The engine's statistics, and the drops of connections by name.
    var statistics: (E.Statistics, connections: DropCounter<ConnectionDrop>) {
        (engine.read { $0.statistics }, connections.drops)
    }

    func listen(on address: String, port: Int, batch: Int) -> EventLoopFuture<Int> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return connections.listen(on: address, port: port).flatMap { channel in
            bound.value.listener = channel
            let chosen = channel.localAddress?.port ?? port
            return bound.value.bindMedia(address, batch: batch).map { chosen }
        }
    }

    private func bindMedia(_ address: String, batch: Int) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        return DatagramPortPair.bind(host: address, batch: batch, on: loop) { bytes, channel, path in
            bound.value.hear(bytes, channel, from: path)
        }.map { media in
            bound.value.media = media.value
            bound.value.engine.update { server, _ in server.setMediaPort(media.value.rtp.localPort) }
        }
    }

    /// Passes a datagram to the engine; drops it if the engine has no use for it.
    private func hear(_ bytes: [UInt8], _ channel: RTPChannel, from path: PathID) {
        let track = PlainTrack.allCases.first { path == (channel == .rtp ? expected[$0]?.rtp : expected[$0]?.rtcp) }
        let isWhole = bytes.count < DatagramPort.largestDatagram
        if let input = E.Input.datagram(bytes, channel, track, isWhole: isWhole) {
            feed(input)
        }
    }

    func stop() {
        engine.update { server, now in server.stop(now: now) }
        engine.stop()
        listener?.close(promise: nil)
        media?.close()
        connections.closeAll()
    }
}
