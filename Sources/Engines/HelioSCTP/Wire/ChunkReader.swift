import HelioCore

/// An iterator over the chunks of a packet (RFC 9260 section 3.2), or over the parameters and causes inside a chunk,
/// which have the same shape with a type of 16 bits.
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
    /// True if a length was shorter than its own header, or longer than the rest of the range; no items follow.
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
        // The last item's padding may be missing, and is never read.
        offset += (Int(length) + 3) & ~3
        return Item(head: head, value: value)
    }
}
