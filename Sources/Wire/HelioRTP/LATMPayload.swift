import HelioCore

/// An element of LATM: access units of AAC, each behind its length, of which nothing else tells
/// ([RFC 6416](https://www.rfc-editor.org/rfc/rfc6416) section 6, ISO/IEC 14496-3 section 1.7.3). It may go in several
/// packets; the marker says where it ends.
///
/// ```
/// | 255 | 255 | … | less than 255 | as many bytes as these add up to | the next length … |
/// ```
package enum LATMPayload {
    /// Where the access units are in an element. They have to fill it: other data behind them, which nobody sends, can't
    /// be told from a part of an element whose beginning is lost.
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

    /// An element with one access unit, which is not empty.
    package static func element(_ unit: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 255, count: unit.count / 255) + [UInt8(unit.count % 255)] + unit
    }
}
