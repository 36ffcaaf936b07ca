internal import HelioCore
internal import HelioLoop
internal import NIOCore
private import NIOWebSocket
private import Synchronization

/// One TCP connection of a `LocalSignalingService`: it first requests files, and may then become a WebSocket.
///
/// Unchecked, as everything but `SignalingConnection` is used on the event loop alone.
final class LocalConnection: SignalingConnection, @unchecked Sendable {
    let id: UInt64
    /// The address of the connection's other end: the client's, or that of a proxy in front of it.
    let peer: IPAddress?
    private(set) var remoteAddress: String
    /// The origin by which connections are counted for eviction: an IPv4 address, or a whole IPv6 network, as each
    /// client has many IPv6 addresses.
    private(set) var origin: IPAddress?
    private let admission = Atomic(false)
    /// True if the connection uses TLS.
    var isSecure = false
    /// True once the connection was reported to the receiver.
    var isOpened = false
    /// True once a failure was counted; later failures are ignored.
    var hasFailed = false
    private(set) var webSocket: WebSocketHandler?
    /// The first handler of the connection's channel.
    let socketEnd = SocketEnd()
    private let loop: any EventLoop
    private var deadline: Scheduled<Void>?

    init(id: UInt64, _ channel: any Channel) {
        self.id = id
        loop = channel.eventLoop
        let address = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }?.unmapped
        peer = address
        remoteAddress = address.map(String.init(describing:)) ?? "unknown"
        origin = address?.origin
    }

    /// Sets the client's own address, as its proxy reports it. Guesses of codes are counted by address, and one guesser
    /// would otherwise lock out all clients of the proxy.
    func comes(from client: IPAddress) {
        remoteAddress = client.description
        origin = client.origin
    }

    func become(_ webSocket: WebSocketHandler) {
        self.webSocket = webSocket
        unlimit()
    }

    var isAdmitted: Bool {
        get { admission.load(ordering: .relaxed) }
        set { admission.store(newValue, ordering: .relaxed) }
    }

    func send(_ message: [UInt8]) {
        guard loop.inEventLoop else { return loop.execute { [self] in send(message) } }
        webSocket?.send(message)
    }

    func close() {
        guard loop.inEventLoop else { return loop.execute { [self] in close() } }
        webSocket?.close(.normalClosure, reason: "")
    }

    /// Sets the time limit of the connection's current step, in place of an earlier limit. At the limit, calls `late`
    /// and closes the connection.
    func limit(_ duration: Duration, late: @escaping () -> Void) {
        deadline?.cancel()
        deadline = loop.assumeIsolated().scheduleTask(in: .nanoseconds(duration.nanoseconds)) { [weak self] in
            guard let self else { return }
            late()
            closeAtOnce()
        }
    }

    func unlimit() {
        deadline?.cancel()
        deadline = nil
    }

    /// Closes the connection at once, without TLS's closing messages.
    func closeAtOnce() {
        // TLS then reports an error, which must not be counted.
        hasFailed = true
        socketEnd.close()
    }

    /// Resets the connection, and drops the queued bytes, which the system would otherwise keep for minutes if the peer
    /// does not read.
    func abort() {
        hasFailed = true
        socketEnd.abort()
    }
}
