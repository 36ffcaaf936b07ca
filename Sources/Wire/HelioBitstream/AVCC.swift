private import HelioCore

/// The sample format of MP4 and VideoToolbox: each NAL unit is preceded by its length, big-endian (ISO/IEC 14496-15
/// section 5.3; requirement rows 42, 43 and 144).
///
/// A conversion to Annex B and back, or the reverse, is lossless to the byte if start codes and lengths have 4 bytes: a
/// NAL unit never ends in a zero byte, and emulation prevention keeps start codes out of it. The number of NAL units is
/// not limited; the result is at most three times as long as the input.
public enum AVCC {
    /// Iterates over the NAL units of a sample without allocating.
    public struct Cursor: Sendable {
        private let lengthSize: Int
        private var position = 0
        /// True after a length that was 0 or exceeded the sample; `next(in:)` then returns `nil`.
        public private(set) var hasFailed = false

        /// - Parameter lengthSize: the size of a length field in bytes: 1, 2 or 4 (`lengthSizeMinusOne` of the `avcC`
        ///   box, plus 1).
        public init(lengthSize: Int = 4) {
            precondition(lengthSize == 1 || lengthSize == 2 || lengthSize == 4, "lengths have 1, 2 or 4 bytes")
            self.lengthSize = lengthSize
        }

        /// The range of the next NAL unit without its length field, never empty; `nil` at the end and after an invalid
        /// length.
        ///
        /// `sample` has to be the same at each call.
        public mutating func next(in sample: RawSpan) -> Range<Int>? {
            guard !hasFailed, position < sample.byteCount else { return nil }
            let start = position + lengthSize
            guard let length = length(in: sample), length > 0, length <= sample.byteCount - start else {
                hasFailed = true
                return nil
            }
            position = start + length
            return start..<position
        }

        private func length(in sample: RawSpan) -> Int? {
            switch lengthSize {
            case 1: sample.uint8(at: position).map(Int.init)
            case 2: sample.uint16(at: position).map(Int.init)
            default: sample.uint32(at: position).map(Int.init)
            }
        }
    }

    /// Converts a sample to Annex B with start codes of 4 bytes; `nil` if a length is 0 or exceeds the sample.
    ///
    /// - Parameter lengthSize: the size of a length field in bytes: 1, 2 or 4.
    public static func annexB(from sample: RawSpan, lengthSize: Int = 4) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(sample.byteCount)
        var cursor = Cursor(lengthSize: lengthSize)
        while let range = cursor.next(in: sample) {
            result.append(contentsOf: AnnexB.startCode)
            result.append(sample, range)
        }
        return cursor.hasFailed ? nil : result
    }

    /// Converts an Annex-B stream to one sample with lengths of 4 bytes; empty if the stream has no NAL units.
    public static func sample(fromAnnexB bytes: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.byteCount + 8)
        AnnexB.forEachNALUnit(in: bytes) { range in
            result.append(bigEndian: UInt32(range.count))
            result.append(bytes, range)
        }
        return result
    }
}
