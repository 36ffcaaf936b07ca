internal import HelioCore
internal import HelioHost
internal import HelioPeer
internal import HelioPeerPort
internal import HelioSCTP
internal import NIOCore

/// The peer connections of viewers in browsers at the WebRTC port, on the host's event loop. `SourceHost` owns and
/// controls the engines; this class supplies the engines with datagrams and time.
final class WebPeers {
    private let port: PeerPort
    private let loop: any EventLoop
    private let tell: (ConnectionID, WebInput) -> Void
    private var handles: [ConnectionID: PeerHandle] = [:]

    init(_ port: PeerPort, loop: any EventLoop, tell: @escaping (ConnectionID, WebInput) -> Void) {
        self.port = port
        self.loop = loop
        self.tell = tell
    }

    func perform(_ demand: WebOutput.Peer, of id: ConnectionID) {
        switch demand {
        case .open(let engine):
            do {
                handles[id] = try port.addOnLoop(
                    { _ in engine }, onEvent: { [weak self] in self?.tell(id, .peerEvent($0)) })
                tell(id, .peerOpened)
            } catch {
                tell(id, .peerRefused("\(error)"))
            }
        case .run: handles[id]?.runOnLoop { _, _ in }
        case .send(let message, let channel):
            do {
                try handles[id]?.runOnLoop { (engine, now) throws(DataChannelError) in
                    try engine.send(.text(message), on: channel, now: now)
                }
            } catch {
                tell(id, .peerUnread(channel))
            }
        case .close:
            // The close is deferred, as an event of the connection itself may have caused it.
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute { bound.value.close(id) }
        }
    }

    /// Sends the queued packets of all engines.
    func flush() { if !handles.isEmpty { port.flushOnLoop() } }

    func closeAll() {
        for id in handles.keys.sorted(by: { $0.rawValue < $1.rawValue }) { close(id) }
    }

    private func close(_ id: ConnectionID) {
        handles.removeValue(forKey: id)?.closeOnLoop { engine, now in engine.close(now: now) }
        tell(id, .peerReleased)
    }
}
