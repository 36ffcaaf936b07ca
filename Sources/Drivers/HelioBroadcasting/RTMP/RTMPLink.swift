import HelioBroadcast
import HelioCore
import HelioLoop
import HelioTLS
import NIOCore
import NIOPosix

#if os(Linux)
private import Glibc
#endif

/// The TCP connection of an RTMP sender, with TLS if the address requires it. Lives on one event loop.
///
/// The link can connect again after it was closed; events of an earlier connection are then ignored.
final class RTMPLink: SenderLink {
    typealias E = RTMPBroadcast

    /// The longest time for an attempt to connect. The engine has its own limit, too.
    private static let connectTime: TimeAmount = .seconds(60)
    /// The longest time that a server may take to close its side of the connection.
    private static let farewellTime: TimeAmount = .seconds(2)

    private let address: RTMPAddress
    private let loop: any EventLoop
    /// The check of the server's certificate; `nil` without TLS.
    private let trust: ServerTrust?
    var happened: (RTMPLinkEvent) -> Void = { _ in }
    private var connection: (any Channel)?
    private var isOpen = false
    private var isDirty = false
    /// The number of the current connection, by which events of earlier connections are recognised.
    private var generation = 0
    private var written = 0
    /// Completes when the last connection has closed.
    private var closing: EventLoopFuture<Void>?

    init(_ address: RTMPAddress, _ trust: ServerTrust?, on loop: any EventLoop) {
        self.address = address
        self.loop = loop
        self.trust = trust
    }

    func perform(_ command: RTMPLinkCommand) {
        switch command {
        case .connect: connect()
        case .send(let bytes): send(bytes)
        case .close: close()
        }
    }

    private func connect() {
        generation += 1
        (isOpen, isDirty, written) = (false, false, 0)
        let own = generation
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    StreamBacklog.limit(channel)
                    if let trust = bound.value.trust {
                        try channel.pipeline.syncOperations.addHandler(trust.handler(to: bound.value.address.host))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        ByteStreamHandler(
                            opened: { _ in bound.value.opened(own) },
                            received: { bytes in bound.value.tell(.received(bytes), of: own) },
                            closed: { bound.value.closed($0, own) }))
                }
            }
            .connect(host: address.host, port: Int(address.port))
            .whenComplete { bound.value.connected($0, own) }
    }

    private func connected(_ result: Result<any Channel, any Error>, _ own: Int) {
        switch result {
        case .success(let channel):
            guard own == generation else { return channel.close(promise: nil) }
            connection = channel
            if trust == nil { opened(own) }
        case .failure(let error):
            let isUnknown = (error as? NIOConnectionError).map { $0.connectionErrors.isEmpty } ?? false
            tell(.failed(isUnknown ? .unresolved : .unreachable), of: own)
        }
    }

    private func opened(_ own: Int) {
        guard own == generation, !isOpen else { return }
        isOpen = true
        happened(.connected)
    }

    private func closed(_ error: (any Error)?, _ own: Int) {
        guard own == generation, connection != nil else { return }
        connection = nil
        if isOpen {
            happened(.disconnected)
        } else {
            happened(.failed(trust?.refusal(error).map { RTMPFailure($0) } ?? .lost))
        }
    }

    private func tell(_ event: RTMPLinkEvent, of own: Int) {
        if own == generation { happened(event) }
    }

    private func send(_ bytes: [UInt8]) {
        guard let connection else { return }
        isDirty = true
        let (count, own) = (bytes.count, generation)
        let bound = NIOLoopBound(self, eventLoop: loop)
        // A failed write closes the connection, which then reports its end.
        connection.write(ByteBuffer(bytes: bytes)).whenSuccess { bound.value.wrote(count, own) }
    }

    /// Sends the bytes written since the last flush, in one call.
    func flush() {
        guard isDirty, let connection else { return }
        isDirty = false
        connection.flush()
    }

    /// Queries the system for the connection's round-trip time, on Linux only.
    func measure() {
        #if os(Linux)
        let bound = NIOLoopBound(self, eventLoop: loop)
        let own = generation
        (connection as? any SocketOptionProvider)?.getTCPInfo().whenSuccess { information in
            guard information.tcpi_rtt > 0 else { return }
            bound.value.tell(.roundTrip(.microseconds(Int64(information.tcpi_rtt))), of: own)
        }
        #endif
    }

    func finish() -> EventLoopFuture<Void> { closing ?? loop.makeSucceededVoidFuture() }

    private func wrote(_ count: Int, _ own: Int) {
        guard own == generation else { return }
        written += count
        guard written == count else { return }
        // Report the write on the next event-loop tick: this code may run within a call from the engine, which is not
        // re-entrant.
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            let link = bound.value
            guard own == link.generation else { return }
            let count = link.written
            link.written = 0
            link.happened(.written(count))
        }
    }

    /// Closes the connection once the written bytes are sent. Closing it with unread input would reset the connection,
    /// and so discard bytes that the server has not read; therefore this end first waits up to `farewellTime` for the
    /// server to close it.
    private func close() {
        flush()
        generation += 1
        guard let connection else { return }
        self.connection = nil
        closing = connection.closeFuture
        guard isOpen else { return connection.close(promise: nil) }
        connection.close(mode: .output, promise: nil)
        let farewell = loop.scheduleTask(in: Self.farewellTime) { connection.close(promise: nil) }
        connection.closeFuture.whenComplete { _ in farewell.cancel() }
    }
}
