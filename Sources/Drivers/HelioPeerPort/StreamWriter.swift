internal import NIOCore

/// Queues packets for one connection, and writes them once per loop turn; the queue is bounded.
final class StreamWriter {
    private let channel: any Channel
    private let maximumWaiting: Int
    private var queued: ByteBuffer
    /// The bytes that were given to the channel, but not yet taken by the system.
    private var inFlight = 0

    init(_ channel: any Channel, maximumWaiting: Int) {
        self.channel = channel
        self.maximumWaiting = maximumWaiting
        queued = channel.allocator.buffer(capacity: 0)
    }

    /// - Parameter isFramed: puts the length before the packet (RFC 4571), which has at most 65535 bytes then.
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
