import Foundation
import HelioCore
import HelioSimulation
import HelioTestLanes
import Testing

@testable import HelioTestPrograms

/// A narrow path limits the rate, and its record is true.
@Suite("A narrow path", .timeLimit(.minutes(1)), .tags(.quiet))
struct NarrowPathTests {
    /// The size of a datagram in bytes: 10,000 bits.
    private static let size = 1250
    private static let word: [UInt8] = Array("hello".utf8)

    /// A UDP socket at 127.0.0.1 that connects to the first sender.
    private final class End {
        let descriptor = LoopbackSocket.open(SOCK_DGRAM)

        init() throws { try #require(LoopbackSocket.bind(descriptor, to: "127.0.0.1", 0)) }
        deinit { close(descriptor) }

        var port: UInt16 { LoopbackSocket.port(of: descriptor) }

        func send(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, 0) }

        /// The next datagram; `nil` after the time-out.
        func receive(_ patience: Patience = Patience(.seconds(10))) -> [UInt8]? {
            guard patience.waitToRead(descriptor) else { return nil }
            var buffer = [UInt8](repeating: 0, count: 2000)
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutablePointer(to: &sender) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let count = recvfrom(descriptor, &buffer, buffer.count, 0, address, &length)
                    // Later calls connect it to the same peer again.
                    if count >= 0 { _ = connect(descriptor, address, length) }
                    return count
                }
            }
            return count >= 0 ? Array(buffer[..<count]) : nil
        }
    }

    /// A host and a viewer that have exchanged datagrams.
    private static func ends(of path: NarrowPath) throws -> (host: End, viewer: End) {
        let (host, viewer) = (try End(), try End())
        #expect(path.lead(to: host.port))
        #expect(!path.lead(to: host.port ^ 1), "it leads to one port alone")
        try #require(LoopbackSocket.connect(viewer.descriptor, to: "127.0.0.1", path.port))
        viewer.send(word)
        #expect(host.receive() == word)
        return (host, viewer)
    }

    @Test("1 Mbit/s with a queue of 200 ms: what is too much is dropped, the rest comes at the rate, in order")
    func rate() throws {
        let path = try NarrowPath(NarrowPath.link(.megabits(1), delay: .zero, queue: .milliseconds(200)))
        let (host, viewer) = try Self.ends(of: path)
        for index in 0..<40 { host.send([UInt8(index)] + [UInt8](repeating: 0, count: Self.size - 1)) }
        var came: [UInt8] = []
        let patience = Patience(.seconds(10))
        while came.count + path.ledger.overflowed < 40, let datagram = viewer.receive(patience) {
            came.append(datagram[0])
        }
        let ledger = path.ledger
        #expect(came.count + ledger.overflowed == 40 && ledger.given.count == 40 && ledger.lost == 0)
        #expect(ledger.overflowed > 0 && came.count >= 20 && came == came.sorted())
        let (first, last) = (try #require(ledger.given.first?.at), try #require(ledger.carried.last?.at))
        #expect(last - first >= .milliseconds(10 * Int64(came.count)), "10 ms a datagram")
        #expect(ledger.departures.allSatisfy { $0.waited <= .milliseconds(200) })
        #expect(ledger.longWait(from: first, to: last + .seconds(1)) > 100)
    }

    @Test("what waits goes at another rate from a change on; then all is lost, and nothing comes")
    func change() throws {
        // At this rate a datagram would take hours.
        let path = try NarrowPath(LinkConditions(rate: Bitrate(bitsPerSecond: 1), queueBytes: 100_000))
        let (host, viewer) = try Self.ends(of: path)
        for _ in 0..<10 { host.send([UInt8](repeating: 1, count: Self.size)) }
        try #require(Patience().wait { path.ledger.given.count == 10 })
        #expect(path.queueDelay > .seconds(1000) && path.ledger.carried.isEmpty)
        path.change(to: NarrowPath.link(.megabits(10)))
        for _ in 0..<10 { #expect(viewer.receive()?.count == Self.size) }

        path.change(to: NarrowPath.link(.megabits(10), loss: 1))
        for _ in 0..<10 { host.send([UInt8](repeating: 2, count: Self.size)) }
        try #require(Patience().wait { path.ledger.given.count == 20 })
        #expect(path.ledger.lost == 10 && path.ledger.carried.count == 10)
    }

    @Test("the ledger's rates, its worst second and its waits")
    func ledger() {
        var ledger = PathLedger()
        #expect(ledger.mediaBegan == nil && ledger.trace == "no media was given")
        let start = Instant(nanoseconds: 5_000_000_000)
        // 100,000 bits a second, and once as much in a burst.
        for tenth in 0..<30 {
            let at = start + .milliseconds(100 * Int64(tenth))
            ledger.given.append(.init(at: at, size: tenth == 0 ? 100 : Self.size))
            if tenth == 15 { for _ in 0..<10 { ledger.given.append(.init(at: at, size: Self.size)) } }
        }
        #expect(ledger.mediaBegan == start + .milliseconds(100))
        #expect(ledger.givenRate(from: start + .milliseconds(100), to: start + .milliseconds(1100)) == 100_000)
        #expect(ledger.peak(from: start, to: start + .seconds(3)) == 200_000)
        #expect(ledger.peak(from: start + .milliseconds(1600), to: start + .seconds(3)) == 100_000)
        #expect(ledger.longWait(from: start, to: start + .seconds(3)) == 0)
    }
}
