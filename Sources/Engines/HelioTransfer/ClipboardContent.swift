import HelioCore

/// The validation of clipboard content against its format.
///
/// Text and HTML are UTF-8 without NUL; line ends are not converted. A picture begins with a PNG signature and header,
/// and its sides have at most `longestSide` pixels (PNG, 5.2 and 11.2.1):
/// ```
///   0             8            12       16          20           24
///   +-------------+------------+--------+-----------+------------+----
///   | 89 P N G .. | 13, u32 BE |  IHDR  | width u32 | height u32 |
///   +-------------+------------+--------+-----------+------------+----
/// ```
package enum ClipboardContent {
    package static let longestSide: UInt32 = 16384

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let imageHeader: UInt32 = 0x4948_4452

    /// Prepares content of this machine for sending: replaces invalid UTF-8, which some programs put on the clipboard,
    /// and removes NUL.
    ///
    /// - Returns: the content, or `nil` if it is an invalid picture.
    static func prepared(_ content: [UInt8], _ format: ClipboardFormat) -> [UInt8]? {
        guard format != .png else { return isPicture(content) ? content : nil }
        return withoutNUL(isText(content) ? content : Array(String(decoding: content, as: UTF8.self).utf8))
    }

    /// Validates received content, and removes NUL from text; returns `nil` if the content does not match its format.
    static func accepted(_ content: [UInt8], _ format: ClipboardFormat) -> [UInt8]? {
        guard format != .png else { return isPicture(content) ? content : nil }
        return isText(content) ? withoutNUL(content) : nil
    }

    private static func withoutNUL(_ content: [UInt8]) -> [UInt8] {
        content.contains(0) ? content.filter { $0 != 0 } : content
    }

    private static func isText(_ content: [UInt8]) -> Bool { (try? UTF8Span(validating: content.span)) != nil }

    private static func isPicture(_ content: [UInt8]) -> Bool {
        let bytes = content.span.bytes
        guard content.starts(with: pngSignature), bytes.uint32(at: 8) == 13, bytes.uint32(at: 12) == imageHeader,
            let width = bytes.uint32(at: 16), let height = bytes.uint32(at: 20)
        else { return false }
        let sides = 1...longestSide
        return sides.contains(width) && sides.contains(height)
    }
}
