import HelioCore

/// An iterator over the chunks of a packet (RFC 9260 section 3.2), or over the parameters or error causes of a chunk,
/// whose type has 16 bits.
///
/// ```
/// |   type        |   flags       |           length              |  a chunk
/// |             type              |           length              |  a parameter or cause
/// |     value, padded with zeros to a multiple of four bytes      |
/// ```
package struct ChunkReader: Sendable {
    /// One chunk or parameter, with the range of its value, without header and padding.
    package struct Item: Sendable, Hashable {
        /// The type and flags of a chunk, or the type of a parameter.
        package var head: UInt16
        package var value: Range<Int>

        package var type: ChunkType { ChunkType(UInt8(head >> 8)) }
        package var flags: UInt8 { UInt8(truncatingIfNeeded: head) }
        /// The range of the item with its header.
        package var whole: Range<Int> { value.lowerBound - 4..<value.upperBound }
    }

    private var offset: Int
    private let end: Int
    /// True after an item with an invalid length: shorter than its header, or longer than the rest of the range. The
    /// iteration then ends.
    package private(set) var isBroken = false

    package init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    package mutating func next(in packet: RawSpan) -> Item? {
        guard !isBroken, offset < end else { return nil }
        guard let head = packet.uint16(at: offset), let length = packet.uint16(at: offset + 2), length >= 4,
            Int(length) <= end - offset
        else {
            isBroken = true
            return nil
        }
        let value = offset + 4..<offset + Int(length)
        // The padding of the last item may be missing.
        offset += (Int(length) + 3) & ~3
        return Item(head: head, value: value)
    }
}
