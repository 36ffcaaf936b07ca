internal import NIOCore

/// Writes to a connection, one write at a time: what is put meanwhile goes together as the next one. So what a peer does not
/// read takes as much memory as it has bytes, in however small pieces it was put. Lives on the connection's event loop.
final class StreamWriter {
    /// What bytes are for; each kind is counted by itself.
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

    /// Past so many unsent bytes, the connection takes nothing that may be dropped.
    private static let window = 64 * 1024

    private let channel: any Channel
    private let taken: (Counts) -> Void
    private var waiting = ByteBuffer()
    private var counts = Counts()
    private var underWay: Counts?
    private var isClosed = false

    /// - Parameter taken: called on the loop, not from within any call to this object, when the system has taken bytes.
    init(_ channel: any Channel, taken: @escaping (Counts) -> Void) {
        self.channel = channel
        self.taken = taken
    }

    /// The bytes that were put and that the system has not taken.
    var unsent: Int { counts.total + (underWay?.total ?? 0) }
    var isFull: Bool { unsent > Self.window || !channel.isWritable }

    /// Queues bytes; `flush` writes them.
    func put(_ bytes: [UInt8], _ kind: Kind) {
        guard !isClosed else { return }
        waiting.writeBytes(bytes)
        counts[kind] += bytes.count
    }

    /// Writes what was put, unless a write is under way: then it follows behind that.
    func flush() {
        guard underWay == nil, waiting.readableBytes > 0 else { return }
        let (bytes, sizes) = (waiting, counts)
        waiting = ByteBuffer()
        counts = Counts()
        underWay = sizes
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        // What fails closes the connection, and is told by that.
        channel.writeAndFlush(bytes).whenSuccess { bound.value.wrote(sizes) }
    }

    private func wrote(_ sizes: Counts) {
        underWay = nil
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute { bound.value.taken(sizes) }
        flush()
    }

    /// Writes what is left, and closes the connection behind it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if waiting.readableBytes > 0 { channel.writeAndFlush(waiting, promise: nil) }
        waiting = ByteBuffer()
        counts = Counts()
        channel.close(promise: nil)
    }
}
