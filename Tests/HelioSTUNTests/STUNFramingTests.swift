import HelioCore
import HelioSTUN
import Testing

struct STUNFramingTests {
    private let message = STUNMessage(
        .request, .allocate, STUNTransactionID(high: 1, low: 2), [.requestedTransport(17)]
    ).serialised()

    private func channelData(_ bytes: [UInt8]) -> ChannelData? { ChannelData(parsing: bytes.span.bytes) }

    private func kind(_ bytes: [UInt8]) -> DatagramKind { DatagramKind(bytes.span.bytes) }

    @Test(arguments: [1, 2, 3, 7, 64, 4096])
    func streamIsCutWhereMessagesEnd(step: Int) throws {
        let data = ChannelData(channel: 0x4001, data: [1, 2, 3, 4, 5])
        let empty = ChannelData(channel: 0x4FFF, data: [])
        let expected = [message, data.serialised(padded: true), empty.serialised(padded: true), message]
        let stream = expected.flatMap { $0 }
        var framer = STUNStreamFramer()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            framer.append(Array(stream[start..<min(stream.count, start + step)]))
            while let piece = try framer.next() { found.append(piece) }
        }
        #expect(found == expected && framer.pendingCount == 0)
        #expect(channelData(found[1]) == data)
    }

    @Test(arguments: ["8000", "5000 0000", "0001 0000 2112a441", "16030100 0501ffff"])
    func otherStreamsAreRefused(bytes: String) {
        var framer = STUNStreamFramer()
        framer.append(hex(bytes))
        #expect(throws: STUNStreamFramer.Desynchronised.self) { try framer.next() }
    }

    @Test(
        arguments: [
            ("4000 0000", 0x4000, []), ("4FFF 0003 010203", 0x4FFF, [1, 2, 3]), ("4000 0001 01000000", 0x4000, [1]),
        ] as [(String, UInt16, [UInt8])])
    func channelDataIsRead(bytes: String, channel: UInt16, data: [UInt8]) {
        #expect(channelData(hex(bytes)) == ChannelData(channel: channel, data: data))
    }

    @Test(arguments: ["", "40", "400000", "3fff0000", "50000000", "4000 0001", "4000ffff00", "4000 0000 00000000"])
    func otherChannelDataIsRefused(bytes: String) {
        #expect(channelData(hex(bytes)) == nil)
    }

    /// The ranges of RFC 7983 figure 3, and RFC 5761 section 4.
    @Test func firstByteTellsTheProtocol() {
        for first in UInt8.min ... .max {
            let bytes: [UInt8] = [first, 100]
            let expected: DatagramKind =
                switch first {
                case 0...3: .stun
                case 16...19: .zrtp
                case 20...63: .dtls
                case 64...79: .channelData
                case 128...191: .rtp
                case 192...255: .plain
                default: .unknown
                }
            #expect(kind(bytes) == expected)
        }
        for second in UInt8.min ... .max {
            let bytes: [UInt8] = [0x80, second]
            #expect(kind(bytes) == ((192...223).contains(second) ? .rtcp : .rtp))
        }
        #expect(kind([]) == .unknown)
        #expect(kind([0x80]) == .rtp)
    }
}
