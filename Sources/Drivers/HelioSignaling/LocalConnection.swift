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
    /// The address that counts as one origin when room is made: of IPv6 a whole network, where each has many addresses.
    private(set) var origin: IPAddress?
    var isAdmitted = false
    /// True where it speaks TLS.
    var isSecure = false
    /// True once the receiver was told of it.
    var isOpened = false
    /// True once it has failed, and that was counted.
    var hasFailed = false
    private(set) var webSocket: WebSocketHandler?
    /// The first handler of its channel.
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

    /// Learns the client's own address from the proxy in front of it: guesses are counted by that, or one guesser would
    /// lock out all who come by the proxy.
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

    /// Sets the time limit for what the connection is doing, in place of an earlier one; after that it is closed.
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

    /// Closes it at once, without TLS's closing messages.
    func closeAtOnce() {
        // What TLS says to that is no news.
        hasFailed = true
        socketEnd.close()
    }

    /// Closes it at once, and drops the bytes that still wait to be sent: the system would keep them for minutes for a
    /// peer that does not read.
    func abort() {
        hasFailed = true
        socketEnd.abort()
    }
}
