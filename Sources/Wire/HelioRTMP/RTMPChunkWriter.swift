private import HelioCore

/// Writes messages as a chunk stream (RTMP section 5.3), with the shortest possible headers.
package struct RTMPChunkWriter: Sendable {
    private struct Stream: Sendable {
        var timestamp: UInt32
        /// The last timestamp difference; `nil` after a header with an absolute timestamp.
        var delta: UInt32?
        var length: Int
        var type: RTMPMessageType
        var streamID: UInt32
    }

    private var streams: [Int: Stream] = [:]

    /// The maximum number of payload bytes in a chunk.
    package private(set) var chunkSize = RTMP.defaultChunkSize

    package init() {}

    /// Announces a chunk size to the peer and uses it from then on.
    ///
    /// - Parameter size: 1 to 0xFFFFFF.
    package mutating func setChunkSize(_ size: Int, into output: inout [UInt8]) {
        precondition((1...RTMP.maximumChunkSize).contains(size))
        var payload: [UInt8] = []
        payload.append(bigEndian: UInt32(size))
        write(RTMPMessage(.setChunkSize, payload: payload), on: RTMP.controlChunkStream, into: &output)
        chunkSize = size
    }

    /// Writes a whole message.
    ///
    /// - Parameters:
    ///   - message: at most 0xFFFFFF bytes of payload.
    ///   - id: the chunk stream: 2 to 65599.
    ///   - output: receives the chunks.
    package mutating func write(_ message: RTMPMessage, on id: Int, into output: inout [UInt8]) {
        precondition(message.payload.count <= RTMP.maximumMessage && RTMP.chunkStreams.contains(id))
        let chunks = message.payload.count / chunkSize + 1
        output.reserveCapacity(output.count + message.payload.count + 14 + chunks * 7)
        let extended = writeHeader(message, id, into: &output)
        var offset = 0
        repeat {
            if offset > 0 {
                Self.writeBasicHeader(3, id, into: &output)
                if let extended { output.append(bigEndian: extended) }
            }
            let end = min(offset + chunkSize, message.payload.count)
            output.append(contentsOf: message.payload[offset..<end])
            offset = end
        } while offset < message.payload.count
    }

    /// Writes the first chunk's header; returns the extended timestamp, if it has one.
    private mutating func writeHeader(_ message: RTMPMessage, _ id: Int, into output: inout [UInt8]) -> UInt32? {
        let length = message.payload.count
        var format: UInt8 = 0
        var time = message.timestamp
        var delta: UInt32?
        if let last = streams[id], last.streamID == message.streamID {
            let difference = message.timestamp &- last.timestamp
            // A timestamp difference can't express a decrease.
            if difference < 0x8000_0000 {
                let isSame = last.length == length && last.type == message.type
                // Format 3 needs a previous difference: after an absolute timestamp, implementations interpret it
                // differently.
                format = !isSame ? 1 : last.delta == difference ? 3 : 2
                time = difference
                delta = difference
            }
        }
        streams[id] = Stream(
            timestamp: message.timestamp, delta: delta, length: length, type: message.type, streamID: message.streamID)
        Self.writeBasicHeader(format, id, into: &output)
        let extended = time >= RTMP.extended ? time : nil
        if format < 3 { output.append(bigEndian24: min(time, RTMP.extended)) }
        if format < 2 {
            output.append(bigEndian24: UInt32(length))
            output.append(message.type.rawValue)
        }
        if format == 0 { output.append(littleEndian: message.streamID) }
        if let extended { output.append(bigEndian: extended) }
        return extended
    }

    private static func writeBasicHeader(_ format: UInt8, _ id: Int, into output: inout [UInt8]) {
        switch id {
        case ..<64: output.append(format << 6 | UInt8(id))
        case ..<320: output += [format << 6, UInt8(id - 64)]
        default: output += [format << 6 | 1, UInt8((id - 64) & 0xFF), UInt8((id - 64) >> 8)]
        }
    }
}

extension [UInt8] {
    mutating func append(bigEndian24 value: UInt32) {
        append(UInt8(truncatingIfNeeded: value >> 16))
        append(bigEndian: UInt16(truncatingIfNeeded: value))
    }
}
