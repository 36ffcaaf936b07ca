internal import HelioCore
internal import HelioLoop
internal import NIOCore
private import NIOWebSocket

/// One TCP connection of a `LocalSignalingService`: first it asks for files, and then it may become a WebSocket.
final class LocalConnection: SignalingConnection {
    let id: UInt64
    let remoteAddress: String
    /// Who is counted as one when room is made: an address, or a network of IPv6, where each has many.
    let origin: IPAddress?
    var isAdmitted = false
    /// The receiver knows it.
    var isOpened = false
    /// It ends by an error, and that was seen to.
    var hasFailed = false
    private(set) var webSocket: WebSocketHandler?
    /// To be the first handler of its channel.
    let socketEnd = SocketEnd()
    private let loop: any EventLoop
    private var deadline: Scheduled<Void>?

    init(id: UInt64, _ channel: any Channel) {
        self.id = id
        loop = channel.eventLoop
        let address = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }?.unmapped
        remoteAddress = address.map(String.init(describing:)) ?? "unknown"
        origin = address?.origin
    }

    func become(_ webSocket: WebSocketHandler) {
        self.webSocket = webSocket
        unlimit()
    }

    func send(_ message: [UInt8]) { webSocket?.send(message) }

    func close() { webSocket?.close(.normalClosure, reason: "") }

    /// Gives it so long for what it is at, in place of what it had before; after that it is closed.
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

    /// Without a word, of TLS's either.
    func closeAtOnce() {
        // What TLS says to that is no news.
        hasFailed = true
        socketEnd.close()
    }

    /// The same, and what still waits to be sent is forgotten: the system would keep it for minutes for who does not
    /// read.
    func abort() {
        hasFailed = true
        socketEnd.abort()
    }
}
