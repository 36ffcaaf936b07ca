import HelioCore

extension [UInt8] {
    /// Appends a chunk with what `body` appends, its length set and its end padded.
    package mutating func appendChunk(_ type: ChunkType, flags: UInt8 = 0, _ body: (inout [UInt8]) -> Void) {
        appendItem(UInt16(type.value) << 8 | UInt16(flags), body)
        padToWord()
    }

    /// Appends a parameter or a cause inside a chunk. The padding of the last one is the chunk's, which the chunk's
    /// length leaves out (RFC 9260 section 3.2): so each pads what stands before it.
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
