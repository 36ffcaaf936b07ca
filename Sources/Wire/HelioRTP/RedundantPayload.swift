package import HelioCore

/// Redundant sound: a packet's payload, preceded by the payloads of earlier packets
/// ([RFC 2198](https://www.rfc-editor.org/rfc/rfc2198) section 3).
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
/// |1| payload type|     timestamp offset      |       length      |   of each block, the oldest first
/// +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
/// |0| payload type|   of the packet itself; then the blocks' bytes, and its own
/// +-+-+-+-+-+-+-+-+
/// ```
package struct RedundantPayload: Sendable, Hashable {
    /// The payload of an earlier packet.
    package struct Block: Sendable, Hashable {
        package var payloadType: PayloadType
        /// The packet's timestamp minus this block's, in RTP timestamp units; at most `maximumOffset`.
        package var timestampOffset: UInt16
        /// The payload, at most `maximumBlockSize` bytes. An empty payload is valid and carries no sound.
        package var payload: [UInt8]

        package init(_ payloadType: PayloadType, timestampOffset: UInt16, payload: [UInt8]) {
            self.payloadType = payloadType
            self.timestampOffset = timestampOffset
            self.payload = payload
        }
    }

    /// The largest timestamp offset, 14 bits: 341 ms at 48 kHz.
    package static let maximumOffset: UInt16 = 0x3FFF
    /// The maximum size of a block's payload in bytes, a 10-bit number.
    package static let maximumBlockSize = 0x3FF
    /// The maximum number of blocks of earlier packets; a longer list is refused.
    package static let maximumBlocks = 16
    /// The size of the header of an earlier packet's block, in bytes.
    package static let blockOverhead = 4

    /// The payloads of earlier packets, the oldest first.
    package var earlier: [Block]
    package var payloadType: PayloadType
    /// The primary payload (RFC 2198), as opposed to the redundant payloads in `earlier`.
    package var payload: [UInt8]

    /// Makes a payload. Leaves out blocks that are too old or too long for the format, and the oldest blocks if there
    /// are more than `maximumBlocks`.
    package init(_ payloadType: PayloadType, payload: [UInt8], earlier: [Block] = []) {
        self.payloadType = payloadType
        self.payload = payload
        let fitting = earlier.filter {
            $0.timestampOffset <= Self.maximumOffset && $0.payload.count <= Self.maximumBlockSize
        }
        self.earlier = fitting.suffix(Self.maximumBlocks)
    }

    /// Reads a payload; `nil` if its headers are truncated, describe more bytes than there are, or are more than
    /// `maximumBlocks`.
    package init?(_ bytes: RawSpan) {
        var blocks: [(type: PayloadType, offset: UInt16, length: Int)] = []
        var position = 0
        while let first = bytes.uint8(at: position), first & 0x80 != 0 {
            guard blocks.count < Self.maximumBlocks, let header = bytes.uint32(at: position) else { return nil }
            blocks.append((PayloadType(first), UInt16(header >> 10 & 0x3FFF), Int(header & 0x3FF)))
            position += Self.blockOverhead
        }
        guard let last = bytes.uint8(at: position) else { return nil }
        position += 1
        earlier = []
        for block in blocks {
            guard let payload = bytes.bytes(at: position, count: block.length) else { return nil }
            earlier.append(Block(block.type, timestampOffset: block.offset, payload: payload))
            position += block.length
        }
        payloadType = PayloadType(last)
        guard let rest = bytes.bytes(at: position, count: bytes.byteCount - position) else { return nil }
        payload = rest
    }

    /// The number of bytes that `write` appends.
    package var size: Int {
        earlier.reduce(1 + payload.count) { $0 + Self.blockOverhead + $1.payload.count }
    }

    package func write(into bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + size)
        for block in earlier {
            let length = UInt32(block.payload.count)
            bytes.append(
                bigEndian: 1 << 31 | UInt32(block.payloadType.rawValue) << 24 | UInt32(block.timestampOffset) << 10
                    | length)
        }
        bytes.append(payloadType.rawValue)
        for block in earlier { bytes.append(contentsOf: block.payload) }
        bytes.append(contentsOf: payload)
    }
}
