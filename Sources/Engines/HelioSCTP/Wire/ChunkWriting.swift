import HelioCore

extension [UInt8] {
    /// Appends a chunk whose value `body` appends, with its length and padding.
    package mutating func appendChunk(_ type: ChunkType, flags: UInt8 = 0, _ body: (inout [UInt8]) -> Void) {
        appendItem(UInt16(type.value) << 8 | UInt16(flags), body)
        padToWord()
    }

    /// Appends a parameter or a cause inside a chunk. The chunk's length leaves out the last one's padding (RFC 9260
    /// section 3.2), so that each parameter pads the one before it.
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

    /// Appends zeros up to a multiple of four bytes.
    package mutating func padToWord() {
        while count & 3 != 0 { append(0) }
    }

    /// Sets the checksum of a packet that was written with zeros in its place.
    package mutating func setPacketChecksum() {
        let checksum = CRC32C.packetChecksum(span.bytes)
        set(bigEndian: checksum.byteSwapped, at: 8)
    }
}
