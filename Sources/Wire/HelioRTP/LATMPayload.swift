import HelioCore

/// A LATM element: AAC access units, each preceded only by its length
/// ([RFC 6416](https://www.rfc-editor.org/rfc/rfc6416) section 6, ISO/IEC 14496-3 section 1.7.3). An element may span
/// several packets; the marker is set on the last.
///
/// ```
/// | 255 | 255 | … | less than 255 | as many bytes as their sum | the next length … |
/// ```
package enum LATMPayload {
    /// The ranges of the access units in an element. Throws `.truncated` if they do not fill it exactly: trailing data,
    /// which no known sender adds, would look like an element whose beginning was lost.
    package static func units(
        _ element: RawSpan, subframes: Int
    ) throws(AACPayload.Malformation) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var offset = 0
        for _ in 0..<subframes {
            var size = 0
            var more = true
            while more {
                guard let byte = element.uint8(at: offset) else { throw .truncated }
                offset += 1
                size += Int(byte)
                more = byte == 255
            }
            guard size > 0, offset + size <= element.byteCount else { throw .truncated }
            units.append(offset..<offset + size)
            offset += size
        }
        guard offset == element.byteCount else { throw .truncated }
        return units
    }

    /// Makes an element with one access unit, which must not be empty.
    package static func element(_ unit: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 255, count: unit.count / 255) + [UInt8(unit.count % 255)] + unit
    }
}
