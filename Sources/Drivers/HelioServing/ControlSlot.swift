internal import HelioCore
internal import HelioGround
internal import HelioLoop
private import HelioOpenSSL
internal import HelioRemote
internal import HelioSession
private import Synchronization

/// Holds a viewer's control channel, once the session has agreed on it. Usable from any thread.
final class ControlSlot: Sendable {
    private let current = Mutex<EnginePort<ViewerControl>?>(nil)
    private let delegate: any SinkClientDelegate

    init(_ delegate: any SinkClientDelegate) { self.delegate = delegate }

    var port: EnginePort<ViewerControl>? { current.withLock { $0 } }

    /// Opens the control channel on a socket.
    ///
    /// - Parameters:
    ///   - from: the address to bind to.
    ///   - to: the host's control port, the only one to receive from.
    ///   - feed: called with each input for the session, on a thread of the channel or on the thread that sends input.
    func open(
        _ terms: ControlTerms, from: String, to: PathID, feed: @escaping @Sendable (SinkSession.Input) -> Void
    ) throws {
        try open(terms, on: DatagramSocket(bindTo: from, port: 0, peer: to), send: nil, feed: feed)
    }

    /// Opens the control channel through a tunnel; what arrives by it is passed to `port`.
    ///
    /// - Parameters:
    ///   - send: called with each datagram for the host, on a thread as for `feed`; must not block.
    ///   - feed: called with each input for the session, on a thread of the channel, on that which passes on a received
    ///     datagram, or on that which sends input.
    func open(
        _ terms: ControlTerms, send: @escaping @Sendable ([UInt8]) -> Void,
        feed: @escaping @Sendable (SinkSession.Input) -> Void
    ) throws {
        try open(terms, on: nil, send: send, feed: feed)
    }

    private func open(
        _ terms: ControlTerms, on socket: DatagramSocket?, send: (@Sendable ([UInt8]) -> Void)?,
        feed: @escaping @Sendable (SinkSession.Input) -> Void
    ) throws {
        let port = try EnginePort(
            ViewerControl(terms, crypto: OpenSSLCrypto(), now: MonotonicClock.now), on: socket, name: "helio-control",
            received: { bytes, _ in .datagram(bytes) }, waiting: { [] },
            perform: { [delegate] output in
                switch output {
                case .datagram(let bytes):
                    guard let send else { return .send(bytes, to: nil) }
                    send(bytes)
                case .inside(let bytes): feed(.control(bytes))
                case .cursorMoved(let x, let y): delegate.cursorMoved(x: x, y: y)
                case .driver(let driver): delegate.driverChanged(to: driver)
                case .controlRequested(let name): delegate.controlRequested(by: name)
                case .roundTrip(let time): feed(.roundTrip(time))
                case .unheard: feed(.controlUnheard)
                }
                return .done
            })
        current.withLock { $0 = port }
    }

    /// Makes the host release all keys and buttons that are held down, and closes the socket.
    func close() {
        let port = current.withLock { current in
            defer { current = nil }
            return current
        }
        port?.handle(.leave)
        port?.close()
    }
}
