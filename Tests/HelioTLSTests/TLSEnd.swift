import HelioTLS
import NIOCore
import NIOEmbedded

/// One TLS end on an in-memory channel.
final class TLSEnd {
    let channel = EmbeddedChannel()
    let plug = Plug()
    let watcher = Watcher()

    init(_ handler: TLSHandler) throws {
        try channel.pipeline.syncOperations.addHandlers([plug, handler, watcher])
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
    }

    // Closed without `close`, which would wait for an answer.
    deinit { plug.pull() }

    var isOpen: Bool { watcher.handshakes == 1 && channel.isActive }

    func write(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func close(_ mode: CloseMode = .all) { channel.close(mode: mode, promise: nil) }

    /// Delivers bytes from the network, in pieces of this size.
    func receive(_ bytes: [UInt8], piece: Int = .max) throws {
        var left = bytes[...]
        while !left.isEmpty, channel.isActive {
            try channel.writeInbound(ByteBuffer(bytes: left.prefix(piece)))
            left = left.dropFirst(piece)
        }
    }

    /// Delivers all data between two ends; a connection closed by one ends at the other.
    static func settle(_ one: TLSEnd, _ other: TLSEnd, piece: Int = .max) throws {
        while !one.plug.writes.isEmpty || !other.plug.writes.isEmpty {
            try other.receive(one.plug.take(), piece: piece)
            try one.receive(other.plug.take(), piece: piece)
        }
        if !one.channel.isActive { other.plug.pull() }
        if !other.channel.isActive { one.plug.pull() }
    }
}
