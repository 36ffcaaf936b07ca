import HelioCore
import HelioRelayWire
import Testing

@Suite("The relay's framing")
struct RelayReaderTests {
    private static func read(
        _ bytes: [UInt8], _ side: RelaySide, cutAt cuts: [Int] = []
    ) -> (
        messages: [RelayMessage], error: RelayWireError?
    ) {
        var reader = RelayReader(from: side)
        var messages: [RelayMessage] = []
        var start = 0
        do throws(RelayWireError) {
            for end in cuts + [bytes.count] {
                reader.append(Array(bytes[start..<end]))
                start = end
                while let message = try reader.next() { messages.append(message) }
            }
        } catch {
            return (messages, error)
        }
        return (messages, nil)
    }

    /// Row 137: exactly N bytes are read, however the stream is split.
    @Test("the same messages wherever the stream is cut", arguments: [RelaySide.broadcastExtension, .app])
    func everyCut(side: RelaySide) {
        let messages = RelayMessages.all(of: side).map(\.0)
        let bytes = messages.flatMap { $0.serialised() }
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let result = Self.read(bytes, side, cutAt: [first, second])
                #expect(result.messages == messages && result.error == nil, "cut at \(first) and \(second)")
            }
        }
        #expect(Self.read(bytes, side, cutAt: Array(0..<bytes.count)).messages == messages)
    }

    @Test(
        "a stream that ends at any byte gives the messages that are whole",
        arguments: [
            RelaySide.broadcastExtension, .app,
        ])
    func everyEnd(side: RelaySide) {
        let messages = RelayMessages.all(of: side).map(\.0)
        var ends: [Int] = []
        var bytes: [UInt8] = []
        for message in messages {
            message.write(into: &bytes)
            ends.append(bytes.count)
        }
        for count in 0...bytes.count {
            let result = Self.read(Array(bytes[..<count]), side)
            #expect(result.messages == Array(messages.prefix(ends.count { $0 <= count })))
            #expect(result.error == nil)
        }
    }

    /// Row 136: a wrong prefix or length is reported as soon as it was received.
    @Test(
        "what is no message is named",
        arguments: [
            ("27", RelayWireError.wrongPrefix),
            ("00 00000002 01 01", .wrongPrefix),
            ("26 00000000", .wrongLength),
            ("26 FFFFFFFF", .wrongLength),
            ("26 00400001", .wrongLength),
            // In little-endian byte order.
            ("26 02000000", .wrongLength),
            ("26 00000001 01", .wrongLength),
            ("26 00000041 01", .wrongLength),
            ("26 00000007 02", .wrongLength),
            ("26 00000009 02", .wrongLength),
            ("26 00000009 03", .wrongLength),
            ("26 00000002 04", .wrongLength),
            ("26 0000000F 05", .wrongLength),
            ("26 00010001 06", .wrongLength),
            ("26 00000004 00", .wrongLength),
            ("26 00000001 07", .wrongLength),
            ("26 00000002 09", .wrongLength),
            ("26 00000001 08", .unexpectedKind),
            ("26 00000002 0A", .unexpectedKind),
            ("26 00000002 0B", .unexpectedKind),
            ("26 00000001 FF", .unexpectedKind),
            ("26 00000005 00000101 65", .malformed),
            ("26 00000005 00000002 65", .malformed),
            ("26 00000008 02 00 1E 02D0 0500 00", .malformed),
            ("26 00000008 02 03 1E 02D0 0500 00", .malformed),
            ("26 00000008 02 01 00 02D0 0500 00", .malformed),
            ("26 00000008 02 01 1E 0000 0500 00", .malformed),
            ("26 00000008 02 01 1E 02D0 4001 00", .malformed),
            ("26 00000008 02 01 1E 02D0 0500 04", .malformed),
            ("26 0000000A 03 02 0000000001020304", .malformed),
            ("26 00000002 07 03", .malformed),
            ("26 00000013 05 00 02 0000BB80 0000000000000005 01020304", .malformed),
            ("26 00000013 05 01 00 0000BB80 0000000000000005 01020304", .malformed),
            ("26 00000012 05 01 02 0000BB80 0000000000000005 010203", .malformed),
            ("26 00000013 05 01 02 FFFFFFFF 0000000000000005 01020304", .malformed),
        ])
    func refuses(digits: String, error: RelayWireError) {
        let good = RelayMessage.heartbeat.serialised()
        let result = Self.read(good + hex(digits), .broadcastExtension)
        #expect(result.messages == [.heartbeat])
        #expect(result.error == error)
    }

    @Test(
        "a wish that can't be is named",
        arguments: [
            ("26 00000008 0B 001E8480 0280 01", RelayWireError.wrongLength),
            ("26 0000000A 0B 001E8480 0280 0168 00", .wrongLength),
            // Only one side is zero, and a size that no format has.
            ("26 00000009 0B 001E8480 0280 0000", .malformed),
            ("26 00000009 0B 001E8480 0000 0168", .malformed),
            ("26 00000009 0B 001E8480 4001 0168", .malformed),
        ])
    func refusesWishes(digits: String, error: RelayWireError) {
        let result = Self.read(RelayMessage.heartbeat.serialised() + hex(digits), .app)
        #expect(result.messages == [.heartbeat] && result.error == error)
    }

    @Test("an app's reader takes none of an extension's kinds") func sides() {
        for (message, _) in RelayMessages.ofExtension where !message.kind.isFrom(.app) {
            #expect(Self.read(message.serialised(), .app).error == .unexpectedKind, "\(message)")
        }
    }

    @Test("the first error is final, and what comes after it is not kept") func final() {
        var reader = RelayReader(from: .app)
        reader.append(hex("55"))
        #expect(throws: RelayWireError.wrongPrefix) { try reader.next() }
        reader.append(RelayMessage.heartbeat.serialised())
        #expect(throws: RelayWireError.wrongPrefix) { try reader.next() }
        #expect(reader.bufferedByteCount == 0)
    }

    @Test("later versions may say more with hello and welcome") func longer() throws {
        #expect(Self.read(hex("26 00000005 01 02 AABBCC"), .broadcastExtension).messages == [.hello(version: 2)])
        #expect(
            Self.read(hex("26 00000040 0A 02") + [UInt8](repeating: 3, count: 62), .app).messages == [
                .welcome(version: 2)
            ])
    }

    @Test("the longest messages are read, one byte more is refused, and no more than one is ever kept") func longest()
        throws
    {
        let limits = RelayLimits(nalUnit: 1000, sound: 600)
        let unit = RelayMessage.nalUnit([0, 0, 0, 1] + [UInt8](repeating: 0x65, count: 996))
        let sound = RelayMessage.sound(
            RelaySound(
                origin: .system, codec: .opus, format: .standard, captured: .zero,
                payload: [UInt8](repeating: 1, count: 585)))
        var reader = RelayReader(from: .broadcastExtension, limits: limits)
        for message in [unit, sound, unit] {
            for byte in message.serialised() {
                #expect(try reader.next() == nil)
                reader.append([byte])
                #expect(reader.bufferedByteCount <= 1000 + RelayMessage.headerSize)
            }
            #expect(try reader.next() == message)
            #expect(reader.bufferedByteCount == 0)
        }
        var longerUnit = RelayReader(from: .broadcastExtension, limits: limits)
        longerUnit.append(hex("26 000003E9"))
        #expect(throws: RelayWireError.wrongLength) { try longerUnit.next() }
        var longerSound = RelayReader(from: .broadcastExtension, limits: limits)
        longerSound.append(hex("26 00000259 05"))
        #expect(throws: RelayWireError.wrongLength) { try longerSound.next() }
    }
}
