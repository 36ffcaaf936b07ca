import HelioCore
import HelioSTUN
import Testing

struct PacketFramerTests {
    /// An RFC 4571 stream written by hand, split into pieces of every size.
    @Test(arguments: 1...11)
    func packetsComeWhole(step: Int) throws {
        let stream: [UInt8] = [0, 3, 1, 2, 3, 0, 0, 0, 1, 9, 0]
        var framer = PacketFramer(maximumSize: 3)
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            framer.append(Array(stream[start..<min(stream.count, start + step)]))
            while let packet = try framer.next() { packets.append(packet) }
        }
        #expect(packets == [[1, 2, 3], [9]] && framer.pendingCount == 1)
    }

    @Test func tooLongPacketEndsTheStream() throws {
        var framer = PacketFramer(maximumSize: 3)
        framer.append([0, 1, 7, 0, 4])
        #expect(try framer.next() == [7])
        #expect(throws: PacketFramer.Oversized.self) { try framer.next() }
    }
}
