import HelioCore

extension [UInt8] {
    /// Appends the header of a chunk, the value that `body` writes, and padding.
    package mutating func appendChunk(_ type: ChunkType, flags: UInt8 = 0, _ body: (inout [UInt8]) -> Void) {
        appendItem(UInt16(type.value) << 8 | UInt16(flags), body)
        padToWord()
    }

    /// Appends a parameter or error cause of a chunk. Padding is added before the parameter and not after it, as the
    /// chunk's length must not include the padding of its last parameter (RFC 9260 section 3.2).
    package mutating func appendParameter(_ type: UInt16, _ body: (inout [UInt8]) -> Void) {
        padToWord()
        appendItem(type, body)
    }

    private mutating func appendItem(_ head: UInt16, _ body: (inout [UInt8]) -> Void) {
        let start = count
        append(bigEndian: head)
        append(bigEndian: UInt16(0))
        body(&self)
        set(bigEndian: UInt16(clamping: count - start), at: start + 2)
    }

    /// Appends zeros up to a multiple of 4 bytes.
    package mutating func padToWord() {
        while count & 3 != 0 { append(0) }
    }

    /// Computes and sets the checksum of a packet.
    package mutating func setPacketChecksum() {
        let checksum = CRC32C.packetChecksum(span.bytes)
        set(bigEndian: checksum.byteSwapped, at: 8)
    }
}
