internal import HelioCore
internal import HelioGround
package import HelioLinks
package import NIOCore
internal import NIOPosix

/// The reason why a `StandInLink` dropped a datagram.
package enum StandInLinkDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram beyond what fits the width.
    case beyondWidth = "stand-in-beyond-width"
    /// A datagram while the other process does not read.
    case unread = "stand-in-unread"
    /// An empty datagram, or one that is too long.
    case badLength = "stand-in-bad-length"
}

/// A link between two processes of one machine, by a local socket, with the width that it is given: a stand-in for
/// links that carry little, such as Bluetooth's channels. Lives on one event loop.
///
///     | length u16, big-endian, 1 ... 2,048 | datagram |
///
/// A datagram takes its time at the width before it passes, and those behind it wait. Too long a wait drops it, as a
/// radio's queue does.
package final class StandInLink: TunnelLink {
    /// A narrow link of 1 Mbit/s.
    package static let narrow = LinkTraits(kind: .narrow, width: .megabits(1))
    static let longestDatagram = 2048
    /// The longest time that a datagram waits for those before it.
    private static let longestWait = Duration.milliseconds(250)

    package let traits: LinkTraits
    package var onDatagram: (([UInt8]) -> Void)?
    package var onEnd: (() -> Void)?
    private let channel: any Channel
    private let loop: any EventLoop
    private var drops = DropCounter<StandInLinkDrop>()
    private var isClosed = false
    /// The datagrams that wait, each with the time at which it has passed.
    private var waiting: [(at: Instant, datagram: [UInt8])] = []
    /// The time at which the last of them has passed.
    private var freeAt = Instant.zero
    private var timer: Scheduled<Void>?

    private init(_ channel: any Channel, _ traits: LinkTraits) {
        self.channel = channel
        self.traits = traits
        loop = channel.eventLoop
    }

    /// Counts of drops by name.
    package var allDrops: [String: Int] { drops.byName }

    // MARK: Opening

    /// Listens at a path for the other processes, until the channel is closed. The folder decides who may connect.
    ///
    /// - Parameter accepted: called on the loop with each link.
    package static func listen(
        at path: String, _ traits: LinkTraits = narrow, on loop: any EventLoop,
        accepted: @escaping (StandInLink) -> Void
    ) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound(accepted, eventLoop: loop)
        return ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { bound.value(try prepare(channel, traits)) }
            }
            .bind(unixDomainSocketPath: path)
    }

    /// Connects to the process that listens at a path.
    ///
    /// - Parameter connected: called on the loop with the link or the error.
    package static func connect(
        to path: String, _ traits: LinkTraits = narrow, on loop: any EventLoop,
        connected: @escaping (Result<StandInLink, any Error>) -> Void
    ) {
        let bound = NIOLoopBound(connected, eventLoop: loop)
        ClientBootstrap(group: loop).connect(unixDomainSocketPath: path).whenComplete { result in
            bound.value(Result { try prepare(try result.get(), traits) })
        }
    }

    private static func prepare(_ channel: any Channel, _ traits: LinkTraits) throws -> StandInLink {
        let link = StandInLink(channel, traits)
        try channel.pipeline.syncOperations.addHandler(StandInLinkHandler(link))
        return link
    }

    // MARK: Sending

    package func send(_ datagram: [UInt8]) {
        guard !isClosed else { return }
        guard (1...Self.longestDatagram).contains(datagram.count) else { return drops.count(.badLength) }
        guard let width = traits.width else { return write(datagram) }
        let now = MonotonicClock.now
        let begin = max(now, freeAt)
        guard begin - now <= Self.longestWait else { return drops.count(.beyondWidth) }
        let seconds = Double(datagram.count * 8) / Double(max(1, width.bitsPerSecond))
        freeAt = begin + .nanoseconds(Int64(seconds * 1e9))
        waiting.append((freeAt, datagram))
        schedule(now)
    }

    private func schedule(_ now: Instant) {
        guard timer == nil, let first = waiting.first else { return }
        let delay = TimeAmount.nanoseconds(max(.zero, first.at - now).nanoseconds)
        timer = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.pass() }
    }

    private func pass() {
        timer = nil
        let now = MonotonicClock.now
        let count = waiting.firstIndex { $0.at > now } ?? waiting.count
        let passed = waiting.prefix(count)
        waiting.removeFirst(count)
        // A write may find that the other process has ended.
        for (_, datagram) in passed where !isClosed { write(datagram) }
        if !isClosed { schedule(now) }
    }

    private func write(_ datagram: [UInt8]) {
        guard channel.isWritable else { return drops.count(.unread) }
        var buffer = channel.allocator.buffer(capacity: datagram.count + 2)
        buffer.writeInteger(UInt16(datagram.count))
        buffer.writeBytes(datagram)
        channel.writeAndFlush(buffer, promise: nil)
    }

    // MARK: The end

    package func close() {
        guard !isClosed else { return }
        end()
        channel.close(promise: nil)
    }

    fileprivate func ended() {
        guard !isClosed else { return }
        let onEnd = onEnd
        end()
        onEnd?()
    }

    private func end() {
        isClosed = true
        timer?.cancel()
        waiting = []
        (onDatagram, onEnd) = (nil, nil)
    }
}

/// Splits the bytes of a local socket into datagrams. It keeps the link alive until the channel has closed.
private final class StandInLinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: StandInLink
    private var bytes = ByteBuffer()

    init(_ link: StandInLink) {
        self.link = link
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var read = unwrapInboundIn(data)
        bytes.writeBuffer(&read)
        while let length = bytes.getInteger(at: bytes.readerIndex, as: UInt16.self).map(Int.init) {
            guard (1...StandInLink.longestDatagram).contains(length) else { return context.close(promise: nil) }
            guard let datagram = bytes.getBytes(at: bytes.readerIndex + 2, length: length) else { break }
            bytes.moveReaderIndex(forwardBy: 2 + length)
            link.onDatagram?(datagram)
        }
        bytes.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) { link.ended() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
