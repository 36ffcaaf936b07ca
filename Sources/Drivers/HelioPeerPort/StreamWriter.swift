internal import NIOCore

/// A bounded queue of packets for one connection, which are written once per event-loop tick.
final class StreamWriter {
    private let channel: any Channel
    private let maximumWaiting: Int
    private var queued: ByteBuffer
    /// The bytes that were given to the channel, but not yet accepted by the kernel.
    private var inFlight = 0

    init(_ channel: any Channel, maximumWaiting: Int) {
        self.channel = channel
        self.maximumWaiting = maximumWaiting
        queued = channel.allocator.buffer(capacity: 0)
    }

    /// - Parameter isFramed: true to write the packet's length before it (RFC 4571). The packet then has at most 65535
    ///   bytes.
    /// - Returns: `false` if there is no room.
    func append(_ bytes: [UInt8], isFramed: Bool) -> Bool {
        guard inFlight + queued.readableBytes + bytes.count + 2 <= maximumWaiting else { return false }
        if isFramed { queued.writeInteger(UInt16(bytes.count)) }
        queued.writeBytes(bytes)
        return true
    }

    func flush() {
        let count = queued.readableBytes
        guard count > 0 else { return }
        inFlight += count
        let bytes = queued
        queued = channel.allocator.buffer(capacity: 0)
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        // A failed write closes the connection, which then reports its end.
        channel.writeAndFlush(bytes).whenComplete { _ in bound.value.inFlight -= count }
    }
}
