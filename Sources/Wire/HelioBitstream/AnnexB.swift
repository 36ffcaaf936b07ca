package import HelioCore

/// The byte stream format of H.264 and H.265 (annex B of both): NAL units, each preceded by the start code `00 00 01`,
/// with any number of zero bytes before the start code (requirement rows 89 and 138).
///
/// ```
/// 00 00 00 01 | NAL unit | 00 00 01 | NAL unit | 00 00 …
/// └─ the first zero belongs to no NAL unit      └─ trailing zeros don't, either
/// ```
package enum AnnexB {
    /// The start code that Heliograph writes before every NAL unit.
    package static let startCode: [UInt8] = [0, 0, 0, 1]

    /// Iterates over NAL units without allocating. A copy of the cursor can resume from the same position later.
    package struct Cursor: Sendable {
        /// The offset at which the search for the next start code begins.
        private var position = 0

        package init() {}

        /// The range of the next NAL unit, without its start code and never empty; `nil` at the end.
        ///
        /// Bytes before the first start code are skipped, and so is a start code without a NAL unit after it. `bytes`
        /// has to be the same at each call.
        package mutating func next(in bytes: RawSpan) -> Range<Int>? {
            while let code = AnnexB.startCode(in: bytes, from: position) {
                let start = code + 3
                let following = AnnexB.startCode(in: bytes, from: start)
                var end = following ?? bytes.byteCount
                position = end
                while end > start, bytes.uint8(at: end - 1) == 0 { end -= 1 }
                if end > start { return start..<end }
            }
            position = bytes.byteCount
            return nil
        }
    }

    /// The ranges of all NAL units. Allocates; hot paths use `Cursor`.
    package static func nalUnits(in bytes: RawSpan) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        forEachNALUnit(in: bytes) { ranges.append($0) }
        return ranges
    }

    /// Calls `body` with the range of each NAL unit, in order; allocates nothing.
    package static func forEachNALUnit(in bytes: RawSpan, _ body: (Range<Int>) -> Void) {
        var cursor = Cursor()
        while let range = cursor.next(in: bytes) { body(range) }
    }

    /// Returns true if the access unit holds a keyframe: a picture that can be decoded without any earlier picture.
    package static func containsKeyframe(_ bytes: RawSpan, codec: VideoCodec) -> Bool {
        var cursor = Cursor()
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            if NALHeader.isKeyframe(header, codec: codec) { return true }
            if NALHeader.isVCL(header, codec: codec) { return false }
        }
        return false
    }

    /// The offset of the next `00 00 01` at or after `start`.
    private static func startCode(in bytes: RawSpan, from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var i = start
            while i + 3 <= bytes.count {
                // If the third byte is not 0, and no start code ends with it, no start code begins at any of the three
                // bytes, so skip all of them.
                let third = bytes[i + 2]
                if third == 1, bytes[i] == 0, bytes[i + 1] == 0 { return i }
                i += third == 0 ? 1 : 3
            }
            return nil
        }
    }
}
