internal import HelioControlWire
internal import HelioCore
internal import HelioLoop
private import HelioOpenSSL
internal import HelioRemote
private import Synchronization

/// Holds a viewer's control channel for any thread to use, once the session has agreed on one.
final class ControlSlot: Sendable {
    private let current = Mutex<EnginePort<ViewerControl>?>(nil)
    private let onCursor: @Sendable (_ x: Float, _ y: Float) -> Void
    private let onDriver: @Sendable (Driver) -> Void
    private let onControlRequest: @Sendable (_ name: String) -> Void

    init(
        onCursor: @escaping @Sendable (_ x: Float, _ y: Float) -> Void, onDriver: @escaping @Sendable (Driver) -> Void,
        onControlRequest: @escaping @Sendable (_ name: String) -> Void
    ) {
        self.onCursor = onCursor
        self.onDriver = onDriver
        self.onControlRequest = onControlRequest
    }

    var port: EnginePort<ViewerControl>? { current.withLock { $0 } }

    /// - Parameters:
    ///   - from: the address to bind to.
    ///   - to: the host's control port, the only one to receive from.
    ///   - onRoundTrip: called with each measured round trip, on a thread of the channel's own.
    ///   - onUnheard: called if nothing arrives by UDP, on a thread of the channel's own.
    ///   - onInside: called with each datagram to be sent inside the signalling connection, on the sending thread.
    func open(
        _ terms: ControlTerms, from: String, to: PathID,
        onRoundTrip: @escaping @Sendable (Duration) -> Void, onUnheard: @escaping @Sendable () -> Void,
        onInside: @escaping @Sendable ([UInt8]) -> Void
    ) throws {
        let port = try EnginePort(
            ViewerControl(terms, crypto: OpenSSLCrypto(), now: MonotonicClock.now),
            on: DatagramSocket(bindTo: from, port: 0, peer: to), name: "helio-control",
            received: { bytes, _ in .datagram(bytes) }, waiting: { [] },
            perform: { [onCursor, onDriver, onControlRequest] output in
                switch output {
                case .datagram(let bytes): return .send(bytes, to: nil)
                case .inside(let bytes): onInside(bytes)
                case .cursorMoved(let x, let y): onCursor(x, y)
                case .driver(let driver): onDriver(driver)
                case .controlRequested(let name): onControlRequest(name)
                case .roundTrip(let time): onRoundTrip(time)
                case .unheard: onUnheard()
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
