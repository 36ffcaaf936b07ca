internal import HelioAndroid
private import HelioTLS
internal import NIOCore
private import NIOPosix

/// The connections to adb's server, on one event loop.
final class ADBConnections {
    private static let connectTime: TimeAmount = .seconds(5)

    private let place: ADBPlace
    private let loop: any EventLoop
    private let happened: (AndroidPhone.Input) -> Void
    private var open: [ADBStreamID: any Channel] = [:]
    /// Connections with bytes that were not flushed.
    private var dirty: Set<ADBStreamID> = []
    /// Connections that are being opened, and those that were closed meanwhile.
    private var opening: Set<ADBStreamID> = []

    /// - Parameter happened: called on the loop with each event of a connection.
    init(_ place: ADBPlace, on loop: any EventLoop, happened: @escaping (AndroidPhone.Input) -> Void) {
        self.place = place
        self.loop = loop
        self.happened = happened
    }

    func connect(_ id: ADBStreamID) {
        opening.insert(id)
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A picture of a large keyframe takes few reads.
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65536, maximum: 1 << 20)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ByteStreamHandler(
                            opened: { _ in }, received: { bound.value.received($0, id) },
                            closed: { _ in bound.value.closed(id) }))
                }
            }
            .connect(host: place.host, port: place.port)
            .whenComplete { bound.value.connected($0, id) }
    }

    func send(_ id: ADBStreamID, _ bytes: [UInt8]) {
        guard let channel = open[id] else { return }
        dirty.insert(id)
        channel.write(ByteBuffer(bytes: bytes), promise: nil)
    }

    func flush() {
        for id in dirty { open[id]?.flush() }
        dirty = []
    }

    /// Closes a connection once its bytes have left.
    func close(_ id: ADBStreamID) {
        opening.remove(id)
        guard let channel = open.removeValue(forKey: id) else { return }
        dirty.remove(id)
        channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    }

    private func connected(_ result: Result<any Channel, any Error>, _ id: ADBStreamID) {
        let isWanted = opening.remove(id) != nil
        switch result {
        case .success(let channel):
            guard isWanted else { return channel.close(promise: nil) }
            open[id] = channel
            happened(.connected(id))
        case .failure: if isWanted { happened(.closed(id, wasOpen: false)) }
        }
    }

    private func received(_ bytes: [UInt8], _ id: ADBStreamID) {
        if open[id] != nil { happened(.received(id, bytes)) }
    }

    private func closed(_ id: ADBStreamID) {
        if open.removeValue(forKey: id) != nil { happened(.closed(id, wasOpen: true)) }
    }
}
