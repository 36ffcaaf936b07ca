import HelioCore
import HelioRTMP

/// Fuzzes the reader of RTMP's chunk stream. The result must not depend on how the bytes are split, and buffering must
/// be bounded. Then the same bytes control the writer, whose messages the reader must return completely.
package enum RTMPChunkFuzz {
    private static let limit = 4096

    package static func run(_ bytes: [UInt8]) {
        let whole = read(bytes, piece: max(1, bytes.count))
        let pieces = read(bytes, piece: 1 + Int(bytes.first ?? 0) % 40)
        precondition(whole.messages == pieces.messages && whole.fault == pieces.fault, "cutting changed the result")
        for message in whole.messages {
            if let control = RTMPControl(message) { precondition(RTMPControl(control.message) == control) }
        }
        writeAndRead(bytes)
    }

    private static func read(_ bytes: [UInt8], piece: Int) -> (messages: [RTMPMessage], fault: RTMPChunkFault?) {
        var reader = RTMPChunkReader(messageLimit: limit, streamLimit: 16)
        var messages: [RTMPMessage] = []
        var start = 0
        do throws(RTMPChunkFault) {
            while start < bytes.count {
                let end = min(start + piece, bytes.count)
                reader.append(Array(bytes[start..<end]))
                start = end
                while let message = try reader.next() {
                    precondition(message.payload.count <= limit)
                    messages.append(message)
                }
                precondition(reader.bufferedByteCount <= 2 * limit + 64)
            }
        } catch {
            precondition(reader.bufferedByteCount == 0)
            return (messages, error)
        }
        return (messages, nil)
    }

    /// Writes a message for every six bytes: one for the chunk stream, one for the size and four for the time. Checks
    /// that all messages are read back.
    private static func writeAndRead(_ bytes: [UInt8]) {
        let script = bytes.span.bytes
        var writer = RTMPChunkWriter()
        var stream: [UInt8] = []
        var expected: [RTMPMessage] = []
        var offset = 0
        while let id = script.uint8(at: offset), let size = script.uint8(at: offset + 1),
            let time = script.uint32(at: offset + 2)
        {
            offset += 6
            if id == 0 {
                writer.setChunkSize(1 + Int(size), into: &stream)
                continue
            }
            // Small time steps produce the short chunk headers.
            let last = expected.last?.timestamp ?? 0
            let message = RTMPMessage(
                id & 1 == 0 ? .video : .sound, streamID: UInt32(id >> 7),
                timestamp: id & 2 == 0 ? time : last &+ (time & 0x3F),
                payload: [UInt8](repeating: size, count: Int(size) * 3))
            writer.write(message, on: [2, 6, 63, 64, 319, 320, 70, 65599][Int(id >> 2) & 7], into: &stream)
            expected.append(message)
        }
        let back = read(stream, piece: 100)
        precondition(back.fault == nil && back.messages == expected, "own stream is not read as it was written")
    }
}
