internal import HelioCore
internal import HelioLoop
internal import NIOCore
private import NIOWebSocket

/// One TCP connection of a `LocalSignalingService`: it first requests files, and may then become a WebSocket.
final class LocalConnection: SignalingConnection {
    let id: UInt64
    /// The address of the connection's other end: the client's, or that of a proxy in front of it.
    let peer: IPAddress?
    private(set) var remoteAddress: String
    /// The origin by which connections are counted when room is made: the address or, as each client has many of IPv6,
    /// a whole IPv6 network.
    private(set) var origin: IPAddress?
    var isAdmitted = false
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

    /// Sets the client's own address, as the proxy in front of it reports it: guesses are counted by address, and one
    /// guesser would otherwise lock out all clients of the proxy.
    func comes(from client: IPAddress) {
        remoteAddress = client.description
        origin = client.origin
    }

    func become(_ webSocket: WebSocketHandler) {
        self.webSocket = webSocket
        unlimit()
    }

    func send(_ message: [UInt8]) { webSocket?.send(message) }

    func close() { webSocket?.close(.normalClosure, reason: "") }

    /// Sets the time limit of the connection's present step, in place of an earlier limit; a late connection is closed.
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
        // TLS reports an error for this, which does not count.
        hasFailed = true
        socketEnd.close()
    }

    /// Closes the connection at once, and drops the bytes that are queued: for a peer that does not read, the system
    /// would keep them for minutes.
    func abort() {
        hasFailed = true
        socketEnd.abort()
    }
}
