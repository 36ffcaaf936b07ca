import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("The spec's suites against hostile input")
struct SuiteHostileTests {
    @Test("a flipped bit anywhere is a counted drop (row 36)", arguments: ProtectionSuite.all)
    func everyFlippedBit(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        let sealed = try pair.send(300)
        for bit in 0..<sealed.count * 8 {
            #expect(pair.drop(Self.flipped(sealed, bit)) != nil, "bit \(bit)")
            #expect(pair.drops.total == bit + 1)
        }
        // None of them has used up the sequence number or moved the window.
        #expect(try pair.open(sealed) == SRTPPair.packet(300))
    }

    @Test("in RTCP and on the control channel too", arguments: ProtectionSuite.all)
    func everyFlippedBitOfControl(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        let report = try pair.sendControl()
        for bit in 0..<report.count * 8 {
            #expect(pair.drop(rtcp: Self.flipped(report, bit)) != nil, "bit \(bit)")
            #expect(pair.drops.total == bit + 1)
        }
        #expect(try pair.open(rtcp: report) == SRTPPair.control())

        let message = Array("touch down".utf8)
        let datagram = try pair.seal(message)
        for bit in 0..<datagram.count * 8 {
            #expect(pair.open(message: Self.flipped(datagram, bit)) == nil, "bit \(bit)")
            #expect(pair.controlDrops.total == bit + 1)
        }
        #expect(pair.open(message: datagram) == message)
    }

    @Test("what is cut short or too long is a counted drop", arguments: ProtectionSuite.all)
    func otherLengths(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        let sealed = try pair.send(300)
        let report = try pair.sendControl()
        let datagram = try pair.seal([1, 2, 3])
        for count in 0..<sealed.count {
            let reason: SRTPDrop = count < 12 + suite.leastOverhead ? .truncated : .authenticationFailed
            #expect(pair.drop(Array(sealed[..<count])) == reason)
        }
        for count in 0..<report.count { #expect(pair.drop(rtcp: Array(report[..<count])) != nil) }
        for count in 0..<datagram.count { #expect(pair.open(message: Array(datagram[..<count])) == nil) }
        for more in [1, 15, 16, 32, 1000, 65_000] {
            #expect(pair.drop(sealed + Vectors.repeated(0, more)) == .authenticationFailed)
            #expect(pair.drop(rtcp: report + Vectors.repeated(0x80, more)) != nil)
            #expect(pair.open(message: datagram + Vectors.repeated(0, more)) == nil)
        }
        #expect(pair.drops.total == sealed.count + report.count + 12)
        #expect(pair.controlDrops.total == datagram.count + 6)
        #expect(pair.drop(sealed) == nil)
    }

    @Test("a replay is told from a packet, and an old one from both", arguments: ProtectionSuite.all)
    func replay(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        let old = try pair.send(1)
        let sealed = try pair.send(2)
        let message = try pair.seal([1])
        _ = try pair.open(sealed)
        #expect(pair.drop(sealed) == .replayed)
        _ = try pair.open(try pair.send(5000))
        #expect(pair.drop(old) == .tooOld)
        #expect(pair.open(message: message) == [1])
        #expect(pair.open(message: message) == nil)
        #expect(pair.controlDrops[.replayed] == 1)
    }

    @Test("a packet that claims another rollover counter is not genuine")
    func rollover() throws {
        let pair = try SuitePair(ProtectionSuite(.aes128, .hmacMD5))
        let packets = try [0xFFF0, 0x1_0001, 0x1_FFEF].map { try pair.send($0) }
        _ = try pair.open(packets[0])
        // The receiver takes its 16 bits for a number just behind the newest, and authenticates with that.
        #expect(pair.drop(packets[2]) == .authenticationFailed)
        #expect(pair.drop(packets[1]) == nil)
    }

    @Test("junk is dropped", arguments: ProtectionSuite.all)
    func junk(_ suite: ProtectionSuite) throws {
        let pair = try SuitePair(suite)
        var generator = SeededGenerator(seed: 1)
        for n in 1...2000 {
            let count = Int.random(in: 0...160, using: &generator)
            var junk = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if n.isMultiple(of: 2), count > 0 { junk[0] = junk[0] & 0x3F | 0x80 }
            #expect(pair.drop(junk) != nil)
            #expect(pair.drop(rtcp: junk) != nil)
            #expect(pair.open(message: junk) == nil)
            #expect(pair.drops.total == 2 * n && pair.controlDrops.total == n)
        }
        #expect(pair.drop(try pair.send(1)) == nil)
    }

    private static func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
