internal import NIOCore

/// Writes to a connection, one write at a time; bytes queued meanwhile are merged into the next write. So while the
/// peer does not read, queued bytes take no more memory than their number, however short the queued messages are. Lives
/// on the connection's event loop.
final class StreamWriter {
    /// The purpose of bytes; each kind is counted separately.
    enum Kind: Int, CaseIterable {
        case signalling, frame, transfer
    }

    /// Numbers of bytes, by kind.
    struct Counts: Equatable {
        private var counts = [Int](repeating: 0, count: Kind.allCases.count)
        var total: Int { counts.reduce(0, +) }
        subscript(kind: Kind) -> Int {
            get { counts[kind.rawValue] }
            set { counts[kind.rawValue] = newValue }
        }
    }

    /// The number of unsent bytes above which `isFull` is true, so that callers drop data that may be dropped.
    private static let window = 64 * 1024

    private let channel: any Channel
    private let taken: (Counts) -> Void
    private var waiting = ByteBuffer()
    private var counts = Counts()
    private var underWay: Counts?
    private var isClosed = false

    /// - Parameter taken: called on the loop when the kernel has accepted bytes, never from within a call to this
    ///   object.
    init(_ channel: any Channel, taken: @escaping (Counts) -> Void) {
        self.channel = channel
        self.taken = taken
    }

    /// The number of queued bytes that the kernel has not accepted yet.
    var unsent: Int { counts.total + (underWay?.total ?? 0) }
    var isFull: Bool { unsent > Self.window || !channel.isWritable }

    /// Queues bytes; `flush` writes them.
    func put(_ bytes: [UInt8], _ kind: Kind) {
        guard !isClosed else { return }
        waiting.writeBytes(bytes)
        counts[kind] += bytes.count
    }

    /// Writes the queued bytes; if a write is pending, they are written once it has completed.
    func flush() {
        guard underWay == nil, waiting.readableBytes > 0 else { return }
        let (bytes, sizes) = (waiting, counts)
        waiting = ByteBuffer()
        counts = Counts()
        underWay = sizes
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        // A failed write closes the connection, which then reports its end.
        channel.writeAndFlush(bytes).whenSuccess { bound.value.wrote(sizes) }
    }

    private func wrote(_ sizes: Counts) {
        underWay = nil
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute { bound.value.taken(sizes) }
        flush()
    }

    /// Writes the remaining bytes, then closes the connection.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if waiting.readableBytes > 0 { channel.writeAndFlush(waiting, promise: nil) }
        waiting = ByteBuffer()
        counts = Counts()
        channel.close(promise: nil)
    }
}
