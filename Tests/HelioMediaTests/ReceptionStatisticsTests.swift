import HelioCore
import HelioMedia
import Testing

@Suite struct ReceptionStatisticsTests {
    private func packet(_ sequence: UInt64, timestamp: UInt32 = 0, at arrival: Instant) -> MediaPacket {
        MediaPacket(
            bytes: [0x41, 1], payload: 0..<2, sequence: ExtendedSequence(sequence), timestamp: timestamp, marker: true,
            arrival: arrival)
    }

    /// RFC 3550 section 6.4.1 by hand: every second packet is 10 ms late, so |D| is 900 ticks each time.
    @Test func jitterIsTheRFCs() {
        var buffer = JitterBuffer(configuration: .init(codec: .h264))
        var expected = 0.0
        for index in 0..<200 {
            let late = index % 2 == 1 ? 10 : 0
            let arrival = Instant.zero + .milliseconds(20 * index + late)
            let packet = packet(0x1_0000 + UInt64(index), timestamp: UInt32(index * 1800), at: arrival)
            buffer.handle(.packet(packet), now: arrival)
            if index > 0 { expected += (900 - expected) / 16 }
            #expect(abs(Double(buffer.statistics.jitter) - expected) <= 2)
        }
        #expect(abs(Int(buffer.statistics.jitter) - 900) < 5)
        #expect(buffer.recommendedBuffer > .milliseconds(35))
        // The jitter decreases again on a quiet network (row 40).
        for index in 200..<400 {
            let arrival = Instant.zero + .milliseconds(20 * index)
            let packet = packet(0x1_0000 + UInt64(index), timestamp: UInt32(index * 1800), at: arrival)
            buffer.handle(.packet(packet), now: arrival)
        }
        #expect(buffer.recommendedBuffer < .milliseconds(1))
    }

    @Test(arguments: [0x1_0000, 0x1_FFC0, 0x2_7FF0] as [UInt64])
    func aReportCoversItsIntervalOnly(first: UInt64) {
        var buffer = JitterBuffer(configuration: .init(codec: .h264))
        let now = Instant.zero
        for index in 0..<128 as Range<UInt64> where index % 4 != 1 {
            buffer.handle(.packet(packet(first + index, at: now)), now: now)
        }
        let report = buffer.makeReport()
        #expect(report.fractionLost == 64)
        #expect(report.cumulativeLost == 32)
        #expect(report.highestSequence == UInt32(truncatingIfNeeded: first + 127))
        for index in 128..<256 as Range<UInt64> { buffer.handle(.packet(packet(first + index, at: now)), now: now) }
        let next = buffer.makeReport()
        #expect(next.fractionLost == 0)
        #expect(next.cumulativeLost == 32)
        #expect(buffer.makeReport().fractionLost == 0)
    }
}
