import Foundation
import HelioCore
import HelioOpenSSL
import HelioTransfer
import HelioTransferWire
import Testing

@testable import HelioFileFolder

/// Two file exchanges with real folders and SHA-256, over a channel without delay.
struct FileTransferTests {
    private final class End {
        var exchange: FileExchange
        let disk: FileDisk
        var sent: [[UInt8]] = []
        var files: [FileOutcome] = []
        var ends: [BatchOutcome] = []

        init(_ folder: ReceivingFolder?) {
            exchange = FileExchange(permission: .always, hash: SHA256Stream(), now: .zero)
            disk = FileDisk(folder, of: PartSender([1]))
        }

        func drain() {
            exchange.handle(.room(64 * 1024), now: .zero)
            while let output = exchange.poll() {
                switch output {
                case .send(let bytes): sent.append(bytes)
                case .disk(let command):
                    if let reply = disk.perform(command) { exchange.handle(.disk(reply), now: .zero) }
                case .file(let outcome): files.append(outcome)
                case .over(let outcome): ends.append(outcome)
                case .ask, .unask, .taken, .progress: break
                }
            }
        }
    }

    private static func connect(_ ends: End...) {
        for end in ends {
            end.exchange.handle(.opened, now: .zero)
            end.drain()
        }
    }

    /// Delivers messages until none are left, or up to a number.
    private static func run(_ a: End, _ b: End, messages: Int = .max) {
        var count = 0
        while count < messages, !(a.sent.isEmpty && b.sent.isEmpty) {
            for (from, to) in [(a, b), (b, a)] where !from.sent.isEmpty {
                count += 1
                to.exchange.handle(.received(from.sent.removeFirst()), now: .zero)
                to.drain()
                from.drain()
            }
        }
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    private func send(_ paths: [String], from a: End, as batch: BatchID) {
        let listing = SourceListing(paths, limit: 1000)
        a.disk.take(listing, as: batch)
        a.exchange.handle(.send(batch, listing.entries), now: .zero)
        a.drain()
    }

    @Test("A folder goes from one disk to the other, byte by byte, and an exec bit does not")
    func folder() throws {
        let source = TemporaryFolder()
        let target = TemporaryFolder()
        source.write("d/big", Self.noise(3_000_000))
        source.write("d/sub/small", Self.noise(100))
        source.write("d/none", [])
        #expect(chmod(source.path("d/sub/small"), 0o755) == 0)
        let (a, b) = (End(nil), End(try ReceivingFolder(target.path("in"))))
        Self.connect(a, b)
        send([source.path("d")], from: a, as: BatchID(1))
        Self.run(a, b)
        #expect(a.ends.map(\.arrived) == [5] && b.ends.map(\.arrived) == [5])
        #expect(target.names == ["in", "in/d", "in/d/big", "in/d/none", "in/d/sub", "in/d/sub/small"])
        for name in ["d/big", "d/sub/small", "d/none"] { #expect(target.read("in/" + name) == source.read(name)) }
        #expect(try #require(target.mode("in/d/sub/small")) & 0o111 == 0)
        #expect(b.files.map(\.name) == ["d", "d/big", "d/none", "d/sub", "d/sub/small"])
    }

    /// Both programs restart: only the files on disk are known.
    @Test("What was cut off goes on with another batch and another program", arguments: [true, false])
    func resumed(isChanged: Bool) throws {
        let source = TemporaryFolder()
        let target = TemporaryFolder()
        let content = Self.noise(2_000_000)
        let path = source.write("big", content)
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        do {
            let (a, b) = (End(nil), End(try ReceivingFolder(target.path("in"))))
            Self.connect(a, b)
            send([path], from: a, as: BatchID(1))
            Self.run(a, b, messages: 100)
            b.exchange.handle(.closed, now: .zero)
            b.drain()
        }
        let part = try #require(target.names.last)
        let size = try #require(target.read(part)).count
        #expect(part.hasPrefix("in/.heliograph-part-") && size > 500_000 && size < 1_900_000)
        var other = content
        if isChanged {
            // The size and time are the same, but the content differs from the beginning.
            other[10] ^= 1
            try FileHandle(forWritingTo: URL(filePath: path)).write(contentsOf: other)
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        }
        let (a, b) = (End(nil), End(try ReceivingFolder(target.path("in"))))
        Self.connect(a, b)
        send([path], from: a, as: BatchID(2))
        Self.run(a, b)
        #expect(target.names == ["in", "in/big"] && target.read("in/big") == other)
        #expect(b.exchange.statistics.bytesReceived == UInt64(isChanged ? content.count : content.count - size))
    }

    @Test("A full disk ends the batch at both ends, and leaves nothing under any name")
    func full() throws {
        let source = TemporaryFolder()
        let target = TemporaryFolder()
        let path = source.write("big", Self.noise(2_000_000))
        let folder = try ReceivingFolder(target.path("in"))
        folder.write = { descriptor, bytes, offset in
            guard offset < 1_000_000 else {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        }
        let (a, b) = (End(nil), End(folder))
        Self.connect(a, b)
        send([path], from: a, as: BatchID(1))
        Self.run(a, b)
        #expect(a.ends.map(\.reason) == [.noSpace] && a.ends.map(\.isPeers) == [true])
        #expect(b.ends.map(\.reason) == [.noSpace] && target.names == ["in"])
    }

    @Test("A file that changes while it is sent is said to have, and does not arrive")
    func changes() throws {
        let source = TemporaryFolder()
        let target = TemporaryFolder()
        let path = source.write("big", Self.noise(8_000_000))
        let (a, b) = (End(nil), End(try ReceivingFolder(target.path("in"))))
        Self.connect(a, b)
        send([path], from: a, as: BatchID(1))
        Self.run(a, b, messages: 50)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 100)
        Self.run(a, b)
        #expect(a.files.map(\.failure) == [.changed] && b.files.map(\.failure) == [.changed])
        #expect(target.names == ["in"])
    }
}
