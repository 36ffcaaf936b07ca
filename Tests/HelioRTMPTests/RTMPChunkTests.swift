import HelioCore
import Testing

@testable import HelioRTMP

/// Chunks derived by hand from the specification.
struct RTMPChunkTests {
    private static func message(
        _ type: RTMPMessageType, at time: UInt32, _ payload: [UInt8], stream: UInt32 = 1
    )
        -> RTMPMessage
    {
        RTMPMessage(type, streamID: stream, timestamp: time, payload: payload)
    }

    static func read(
        _ bytes: [UInt8], piece: Int = .max, limit: Int = 1 << 20, streams: Int = 64
    ) throws(RTMPChunkFault) -> [RTMPMessage] {
        var reader = RTMPChunkReader(messageLimit: limit, streamLimit: streams)
        var messages: [RTMPMessage] = []
        var start = 0
        while start < bytes.count {
            let end = start + min(piece, bytes.count - start)
            reader.append(Array(bytes[start..<end]))
            start = end
            while let message = try reader.next() { messages.append(message) }
        }
        return messages
    }

    /// Section 5.3.2.1: four audio messages with headers of 12, 4, 1 and 1 bytes.
    @Test func shrinkingHeaders() throws {
        let payload = [UInt8](repeating: 0xAB, count: 32)
        var bytes: [UInt8] = []
        var writer = RTMPChunkWriter()
        let messages = [1000, 1020, 1040, 1060].map { Self.message(.sound, at: $0, payload, stream: 12345) }
        for message in messages { writer.write(message, on: 3, into: &bytes) }
        let expected: [UInt8] =
            [0x03, 0x00, 0x03, 0xE8, 0x00, 0x00, 0x20, 0x08, 0x39, 0x30, 0x00, 0x00] + payload
            + [0x83, 0x00, 0x00, 0x14] + payload + [0xC3] + payload + [0xC3] + payload
        #expect(bytes == expected)
        for piece in [1, 7, 33, .max] { #expect(try Self.read(bytes, piece: piece) == messages) }
    }

    /// Section 5.3.2.2: a message of 307 bytes in chunks of 140, 129 and 52.
    @Test func cutMessage() throws {
        let payload = (0..<307).map { UInt8(truncatingIfNeeded: $0) }
        let message = Self.message(.video, at: 1000, payload, stream: 12346)
        var bytes: [UInt8] = []
        var writer = RTMPChunkWriter()
        writer.write(message, on: 4, into: &bytes)
        let expected: [UInt8] =
            [0x04, 0x00, 0x03, 0xE8, 0x00, 0x01, 0x33, 0x09, 0x3A, 0x30, 0x00, 0x00] + payload[..<128]
            + [0xC4] + payload[128..<256] + [0xC4] + payload[256...]
        #expect(bytes == expected)
        #expect(bytes.count == 140 + 129 + 52)
        for piece in 1...20 { #expect(try Self.read(bytes, piece: piece) == [message]) }
    }

    /// A type 3 header that starts a message repeats the preceding timestamp delta.
    @Test func impliedDifference() throws {
        let bytes: [UInt8] = [0x05, 0, 0, 10, 0, 0, 1, 8, 1, 0, 0, 0, 0xAA, 0xC5, 0xBB]
        #expect(
            try Self.read(bytes) == [
                Self.message(.sound, at: 10, [0xAA]), Self.message(.sound, at: 20, [0xBB]),
            ])
    }

    /// A timestamp from 0xFFFFFF on has an extended field, repeated in each chunk of the message.
    @Test func extendedTimestamp() throws {
        let payload = [UInt8](repeating: 7, count: 130)
        var bytes: [UInt8] = []
        var writer = RTMPChunkWriter()
        let first = Self.message(.video, at: 0x0100_0000, payload)
        let second = Self.message(.video, at: 0x0100_0028, payload)
        writer.write(first, on: 6, into: &bytes)
        writer.write(second, on: 6, into: &bytes)
        let expected: [UInt8] =
            [0x06, 0xFF, 0xFF, 0xFF, 0, 0, 130, 9, 1, 0, 0, 0, 1, 0, 0, 0] + payload[..<128]
            + [0xC6, 1, 0, 0, 0, 7, 7]
            + [0x86, 0, 0, 0x28] + payload[..<128] + [0xC6, 7, 7]
        #expect(bytes == expected)
        #expect(try Self.read(bytes, piece: 3) == [first, second])
    }

    @Test(arguments: [0xFF_FFFE, 0xFF_FFFF, 0x100_0000, 0x7FFF_FFFF, 0xFFFF_FFF0] as [UInt32])
    func timesOfAllSizes(time: UInt32) throws {
        var bytes: [UInt8] = []
        var writer = RTMPChunkWriter()
        // Small and large differences, steps back, and the wrap of 32 bits.
        let times = [0, time, time &+ 20, time &+ 40, time &+ 39, time &+ 0x2000_0000]
        let messages = times.map { Self.message(.sound, at: $0, [1, 2, 3]) }
        for message in messages { writer.write(message, on: 4, into: &bytes) }
        #expect(try Self.read(bytes, piece: 1) == messages)
    }

    @Test func basicHeaders() throws {
        for (id, head) in [
            (2, [0x02]), (63, [0x3F]), (64, [0x00, 0x00]), (319, [0x00, 0xFF]), (320, [0x01, 0x00, 0x01]),
            (65599, [0x01, 0xFF, 0xFF]),
        ] as [(Int, [UInt8])] {
            var bytes: [UInt8] = []
            var writer = RTMPChunkWriter()
            writer.write(Self.message(.data, at: 0, [9]), on: id, into: &bytes)
            #expect(bytes == head + [0, 0, 0, 0, 0, 1, 18, 1, 0, 0, 0, 9])
            #expect(try Self.read(bytes, piece: 1) == [Self.message(.data, at: 0, [9])])
        }
    }

    /// Interleaved chunks of two messages, with a change of the chunk size in between.
    @Test func interleaved() throws {
        let video = [UInt8](repeating: 1, count: 200)
        let sound = [UInt8](repeating: 2, count: 150)
        var bytes: [UInt8] = [0x06, 0, 0, 5, 0, 0, 200, 9, 1, 0, 0, 0] + video[..<128]
        bytes += [0x04, 0, 0, 6, 0, 0, 150, 8, 1, 0, 0, 0] + sound[..<128]
        bytes += [0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 16]
        bytes += [0xC4] + sound[..<16]
        bytes += [0xC6] + video[..<16]
        bytes += [0xC4] + sound[..<6]
        for count in [16, 16, 16, 8] { bytes += [0xC6] + video[..<count] }
        for piece in [1, 50, .max] {
            #expect(
                try Self.read(bytes, piece: piece) == [
                    Self.message(.sound, at: 6, sound), Self.message(.video, at: 5, video),
                ])
        }
    }

    /// An abort discards the partial message; the next header begins another.
    @Test func abort() throws {
        let bytes: [UInt8] =
            [0x06, 0, 0, 5, 0, 0, 200, 9, 1, 0, 0, 0] + [UInt8](repeating: 1, count: 128)
            + [0x02, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 6]
            + [0x46, 0, 0, 1, 0, 0, 2, 9, 8, 8]
        #expect(try Self.read(bytes) == [Self.message(.video, at: 6, [8, 8])])
    }

    @Test func emptyMessage() throws {
        var bytes: [UInt8] = []
        var writer = RTMPChunkWriter()
        writer.write(Self.message(.video, at: 1, []), on: 6, into: &bytes)
        writer.write(Self.message(.video, at: 2, []), on: 6, into: &bytes)
        #expect(try Self.read(bytes) == [Self.message(.video, at: 1, []), Self.message(.video, at: 2, [])])
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var fault: RTMPChunkFault
    }

    /// The first 16 KiB of a message that is never completed, in chunks of 128 bytes.
    private static func part(of id: UInt8) -> [UInt8] {
        let chunk = [UInt8](repeating: 1, count: 128)
        return [id, 0, 0, 0, 0, 0xFF, 0, 9, 0, 0, 0, 0] + chunk
            + (1..<128).flatMap { _ in [0xC0 | id] + chunk }
    }

    static let hostileInputs = [
        Hostile(testDescription: "third kind first", bytes: [0xC6, 1], fault: .headless),
        Hostile(testDescription: "second kind first", bytes: [0x86, 0, 0, 1], fault: .headless),
        Hostile(
            testDescription: "longer than is read", bytes: [0x06, 0, 0, 5, 1, 0, 1, 9, 1, 0, 0, 0], fault: .tooLarge),
        Hostile(
            testDescription: "header in a message",
            bytes: [0x06, 0, 0, 5, 0, 0, 200, 9, 1, 0, 0, 0] + [UInt8](repeating: 1, count: 128) + [0x06],
            fault: .interrupted),
        Hostile(
            testDescription: "chunks of nothing", bytes: [0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            fault: .malformedControl),
        Hostile(
            testDescription: "chunks of more than 31 bits",
            bytes: [0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0x80, 0, 0, 1], fault: .malformedControl),
        Hostile(
            testDescription: "a size of three bytes", bytes: [0x02, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 1],
            fault: .malformedControl),
        Hostile(
            testDescription: "an abort of nothing", bytes: [0x02, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0],
            fault: .malformedControl),
        Hostile(
            testDescription: "chunk streams without end",
            bytes: (2...10).flatMap { [$0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0] }, fault: .tooManyStreams),
        Hostile(testDescription: "parts without end", bytes: (2...8).flatMap(part), fault: .tooLarge),
    ]

    @Test(arguments: hostileInputs)
    func hostile(input: Hostile) {
        for piece in [1, 13, .max] {
            #expect(throws: input.fault) { try Self.read(input.bytes, piece: piece, limit: 1 << 16, streams: 8) }
        }
    }

    /// A reader that has failed stays so, and stores nothing.
    @Test func staysBroken() throws {
        var reader = RTMPChunkReader(messageLimit: 100)
        reader.append([0xC6, 0])
        #expect(throws: RTMPChunkFault.headless) { try reader.next() }
        reader.append([0x06, 0, 0, 10, 0, 0, 1, 8, 1, 0, 0, 0, 0xAA])
        #expect(throws: RTMPChunkFault.headless) { try reader.next() }
    }
}
