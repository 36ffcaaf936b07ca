import HelioCore
import HelioSession
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLoop

@Suite("What the system throws away of what strangers send", .tags(.quiet))
struct SourceFilterTests {
    @Test("only datagrams that name a known source arrive, and the others are counted", arguments: [0, 4])
    func known(offset: Int) throws {
        let socket = try DatagramSocket(bindTo: "127.0.0.1", port: 0)
        let sender = try DatagramSocket(bindTo: "127.0.0.1", port: 0)
        let place = PathID(.v4(0x7F00_0001), port: socket.localPort)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { room.deallocate() }
        func received() -> [[UInt8]] {
            var all: [[UInt8]] = []
            // On loopback, sent datagrams have arrived already.
            while let (count, _) = socket.receive(into: room) { all.append(Array(room[..<count])) }
            return all
        }
        func datagram(_ source: UInt32, _ more: [UInt8] = [1, 2, 3]) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: offset)
            bytes.append(bigEndian: source)
            return bytes + more
        }
        #expect(sender.send(datagram(7), to: place))
        #expect(received() == [datagram(7)], "before anybody is named all pass")

        socket.listen(to: [], at: [offset])
        #expect(sender.send(datagram(7), to: place))
        #expect(received().isEmpty && socket.thrownAway == 1)

        let sources: [UInt32] = (0..<16).map { 0x8000_0000 | $0 << 16 | 5 }
        socket.listen(to: sources.map { SSRC($0) }, at: [offset])
        for source in sources { #expect(sender.send(datagram(source), to: place)) }
        #expect(sender.send(datagram(sources[3], []), to: place))
        #expect(received() == sources.map { datagram($0) } + [datagram(sources[3], [])])
        for bytes in [datagram(7), datagram(sources[3] + 1), Array(datagram(sources[0], []).dropLast()), []] {
            #expect(sender.send(bytes, to: place))
        }
        #expect(received().isEmpty && socket.thrownAway == 5)

        // More sources than the kernel filter holds: each datagram is checked in the process.
        socket.listen(to: (0..<1000).map { SSRC($0) }, at: [offset])
        #expect(sender.send(datagram(2000), to: place))
        #expect(received() == [datagram(2000)])
    }

    @Test("a source may be at one of two places")
    func twoPlaces() throws {
        let socket = try DatagramSocket(bindTo: "127.0.0.1", port: 0)
        let sender = try DatagramSocket(bindTo: "127.0.0.1", port: 0)
        let place = PathID(.v4(0x7F00_0001), port: socket.localPort)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { room.deallocate() }
        // 32-bit words: the SSRC is the second or the third.
        func datagram(_ words: UInt32...) -> [UInt8] {
            var bytes: [UInt8] = []
            for word in words { bytes.append(bigEndian: word) }
            return bytes
        }
        socket.listen(to: [SSRC(7), SSRC(8), SSRC(9)], at: [4, 8])
        let known = [datagram(0, 7), datagram(0, 9, 0), datagram(0, 0, 7), datagram(9, 1, 9), datagram(0, 8, 8, 8)]
        let strange = [datagram(7, 1, 2), datagram(0, 1), datagram(0, 1, 2, 7), datagram(7), []]
        for bytes in known + strange { #expect(sender.send(bytes, to: place)) }
        var received: [[UInt8]] = []
        while let (count, _) = socket.receive(into: room) { received.append(Array(room[..<count])) }
        #expect(received == known)
        #expect(socket.thrownAway == strange.count)
    }
}
