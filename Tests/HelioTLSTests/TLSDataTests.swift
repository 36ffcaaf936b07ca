import HelioOpenSSL
import HelioTLS
import NIOCore
import NIOEmbedded
import Testing

@Suite("TLS: bytes and good-byes")
struct TLSDataTests {
    private let client: TLSEnd
    private let server: TLSEnd

    init() throws {
        let identity = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(3600))
        client = try TLSEnd(TLSClientContext().handler { _ in true })
        server = try TLSEnd(TLSServerContext(identity).handler())
        try TLSEnd.settle(client, server)
        try #require(client.isOpen && server.isOpen)
    }

    private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

    @Test("any number of them arrives as it was, both ways", arguments: [0, 1, 16384, 16385, 3 << 20])
    func sizes(count: Int) throws {
        let bytes = pattern(count)
        client.write(bytes)
        server.write(bytes)
        try TLSEnd.settle(client, server, piece: 65536)
        #expect(server.watcher.bytes == bytes && client.watcher.bytes == bytes)
        // Output is not accumulated: a read passes on at most its own data and one record that was incomplete before.
        #expect(server.watcher.largestPiece <= 65536 + 16384)
    }

    @Test("they arrive a byte at a time, each record when it is whole")
    func single() throws {
        let bytes = pattern(500)
        for part in [bytes[..<200], bytes[200...]] { client.channel.write(ByteBuffer(bytes: part), promise: nil) }
        client.channel.flush()
        try TLSEnd.settle(client, server, piece: 1)
        #expect(server.watcher.bytes == bytes && server.watcher.pieces == 2)
    }

    @Test("what is written between two flushes is one write, and its promises keep their order")
    func oneWrite() throws {
        let before = client.plug.allWrites
        var written: [Int] = []
        for number in 0..<10 {
            let bytes = ByteBuffer(repeating: UInt8(number), count: number * 1000)
            client.channel.write(bytes).assumeIsolated().whenSuccess { written.append(number) }
        }
        #expect(client.plug.allWrites == before && written.isEmpty)
        client.channel.flush()
        #expect(client.plug.allWrites == before + 1 && written == Array(0..<10))
        client.channel.flush()
        #expect(client.plug.allWrites == before + 1)
    }

    @Test("where reading is asked for, a part of a record is not enough")
    func readsOn() throws {
        client.write(pattern(1000))
        let record = client.plug.take()
        server.channel.read()
        let before = server.plug.reads
        try server.receive(Array(record.prefix(100)))
        #expect(server.plug.reads == before + 1)
        try server.receive(Array(record.dropFirst(100)))
        #expect(server.plug.reads == before + 1 && server.watcher.bytes == pattern(1000))
    }

    @Test("a good-bye is answered, and both ends are closed without an error")
    func goodbye() throws {
        var isClosed = false
        client.write([1])
        client.channel.close().assumeIsolated().whenSuccess { isClosed = true }
        #expect(client.channel.isActive && !isClosed)
        try TLSEnd.settle(client, server)
        #expect(server.watcher.bytes == [1])
        #expect(isClosed && !client.channel.isActive && !server.channel.isActive)
        #expect(client.watcher.errors.isEmpty && server.watcher.errors.isEmpty)
    }

    @Test("who does not answer it is waited for some seconds; what he sends is dropped")
    func silent() throws {
        client.close()
        server.write(pattern(10))
        try client.receive(server.plug.take())
        client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(4900))
        #expect(client.channel.isActive && client.watcher.bytes.isEmpty)
        client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!client.channel.isActive && client.watcher.errors.isEmpty)
    }

    @Test("who has ended what he says goes on listening")
    func halfClose() throws {
        client.write([1, 2])
        client.close(.output)
        #expect(client.plug.hasEnded && client.channel.isActive)
        var refused: (any Error)?
        client.channel.writeAndFlush(ByteBuffer(bytes: [3])).assumeIsolated().whenFailure { refused = $0 }
        #expect(refused as? ChannelError == .outputClosed)
        // Written before the other end has read the close.
        server.write([4, 5])
        try client.receive(server.plug.take())
        #expect(client.watcher.bytes == [4, 5])
        try TLSEnd.settle(client, server)
        #expect(server.watcher.bytes == [1, 2])
        #expect(!client.channel.isActive && !server.channel.isActive)
        #expect(client.watcher.errors.isEmpty && server.watcher.errors.isEmpty)
    }

    @Test("an end without a good-bye is told as one; after one of our own it is none")
    func truncated() throws {
        client.write([1, 2, 3])
        try server.receive(Array(client.plug.take().dropLast()))
        server.plug.pull()
        #expect(server.watcher.failures == [.truncated] && server.watcher.bytes.isEmpty && server.watcher.isGone)
        client.close()
        client.plug.pull()
        #expect(client.watcher.errors.isEmpty && client.watcher.isGone)
    }

    @Test("a forged byte ends the connection, and the other hears why")
    func forged() throws {
        client.write([1, 2, 3])
        var record = client.plug.take()
        record[record.count - 1] ^= 1
        try server.receive(record)
        guard case .refused? = server.watcher.failures.first else {
            Issue.record("\(server.watcher.errors)")
            return
        }
        #expect(server.watcher.bytes.isEmpty && !server.channel.isActive)
        try client.receive(server.plug.take())
        #expect(client.watcher.failures == [.alert(20)] && !client.channel.isActive)
    }
}
