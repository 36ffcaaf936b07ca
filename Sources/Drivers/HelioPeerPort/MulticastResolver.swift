internal import HelioCore
private import HelioLoop
internal import HelioMDNS
private import HelioOpenSSL
internal import NIOCore
private import NIOPosix

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Resolves names of multicast DNS on the local network (RFC 6762 section 5.1).
///
/// Queries are sent from each IPv4 address, each with its own socket; answers are sent to that socket or to the
/// multicast group. The first answer is used, as ICE checks whether the address works.
final class MulticastResolver {
    static let maximumNames = 64
    static let maximumAskers = 16
    /// The delays after which a query is sent again. The query fails after `patience`.
    private static let repeats: [TimeAmount] = [.milliseconds(250), .milliseconds(750)]
    private static let patience = TimeAmount.milliseconds(2000)

    private struct Question {
        var bytes: [UInt8]
        var askers: [(peer: UInt64, done: ([IPAddress]) -> Void)]
        var timers: [Scheduled<Void>] = []
    }

    private let group: TransportAddress
    private let loop: any EventLoop
    private var questions: [String: Question] = [:]
    private var sockets: [any Channel] = []
    /// The socket that receives datagrams sent to the group.
    private var listener: (any Channel)?
    private var isOpen = false
    private var isClosed = false

    init(_ group: TransportAddress, on loop: any EventLoop) {
        self.group = group
        self.loop = loop
    }

    /// - Parameters:
    ///   - places: the addresses of this machine to query from.
    ///   - done: called once, after this method has returned, with the addresses found; empty if the query failed.
    /// - Returns: `false` if no query is made.
    func ask(
        _ name: String, from places: [IPAddress], for peer: UInt64, done: @escaping ([IPAddress]) -> Void
    ) -> Bool {
        guard !isClosed else { return false }
        if let askers = questions[name]?.askers.count {
            guard askers < Self.maximumAskers else { return false }
            questions[name]?.askers.append((peer, done))
            return true
        }
        var random = SecureGenerator()
        let question = MulticastQuestion(id: UInt16.random(in: .min ... .max, using: &random), name: name)
        guard questions.count < Self.maximumNames, let bytes = question.serialised() else { return false }
        questions[name] = Question(bytes: bytes, askers: [(peer, done)])
        let bound = NIOLoopBound(self, eventLoop: loop)
        questions[name]?.timers =
            Self.repeats.map { after in loop.scheduleTask(in: after) { bound.value.send(name) } }
            + [loop.scheduleTask(in: Self.patience) { bound.value.finish(name, []) }]
        if isOpen { send(name) } else { open(places) }
        return true
    }

    /// Cancels the queries of a peer that has left.
    func forget(_ peer: UInt64) {
        for name in Array(questions.keys) {
            questions[name]?.askers.removeAll { $0.peer == peer }
            if questions[name]?.askers.isEmpty == true { finish(name, []) }
        }
    }

    func close() {
        isClosed = true
        for name in Array(questions.keys) {
            questions[name]?.askers = []
            finish(name, [])
        }
        for socket in sockets { socket.close(promise: nil) }
        sockets = []
        listener?.close(promise: nil)
        listener = nil
    }

    private func open(_ places: [IPAddress]) {
        isOpen = true
        var seen: Set<IPAddress> = []
        // Linux picks the interface of a multicast datagram by the address that its socket is bound to.
        for place in places where place.family == group.family && seen.insert(place).inserted {
            add(DatagramBootstrap(group: loop), at: TransportAddress(place, port: 0), asks: true)
        }
        guard case .v4(let bits) = group.ip, bits >> 28 == 0xE else { return }
        let shared = DatagramBootstrap(group: loop)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
        add(shared, at: TransportAddress(.v4(0), port: group.port), asks: false)
    }

    private func add(_ bootstrap: DatagramBootstrap, at place: TransportAddress, asks: Bool) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        bootstrap
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let resolver = bound.value
                    try channel.pipeline.syncOperations.addHandler(
                        MulticastHandler { [weak resolver] in resolver?.received($0) })
                }
            }
            .bind(to: place.socketAddress)
            // If a socket can't be opened, the other sockets are used; without any socket, a query finds nothing.
            .whenSuccess { bound.value.opened($0, asks: asks) }
    }

    private func opened(_ channel: any Channel, asks: Bool) {
        guard !isClosed else { return channel.close(promise: nil) }
        if asks {
            sockets.append(channel)
            for question in questions.values { send(question.bytes, by: channel) }
        } else {
            join(channel)
            listener = channel
        }
    }

    private func join(_ channel: any Channel) {
        guard let channel = channel as? any MulticastChannel, let devices = try? System.enumerateDevices() else {
            return
        }
        for device in devices where device.multicastSupported && device.address?.protocol == .inet {
            channel.joinGroup(group.socketAddress, device: device, promise: nil)
        }
    }

    private func send(_ name: String) {
        guard let bytes = questions[name]?.bytes else { return }
        for socket in sockets { send(bytes, by: socket) }
    }

    private func send(_ bytes: [UInt8], by socket: any Channel) {
        let data = socket.allocator.buffer(bytes: bytes)
        socket.writeAndFlush(AddressedEnvelope(remoteAddress: group.socketAddress, data: data), promise: nil)
    }

    private func received(_ bytes: [UInt8]) {
        guard !questions.isEmpty, let answer = MulticastAnswer(parsing: bytes.span.bytes) else { return }
        for name in Array(questions.keys) {
            let addresses = answer.addresses(of: name)
            if !addresses.isEmpty { finish(name, addresses) }
        }
    }

    private func finish(_ name: String, _ addresses: [IPAddress]) {
        guard let question = questions.removeValue(forKey: name) else { return }
        for timer in question.timers { timer.cancel() }
        for asker in question.askers { asker.done(addresses) }
    }
}

private final class MulticastHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let received: ([UInt8]) -> Void

    init(_ received: @escaping ([UInt8]) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received(Array(buffer: unwrapInboundIn(data).data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
