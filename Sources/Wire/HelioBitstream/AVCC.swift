import HelioCore

/// The format of MP4 and of VideoToolbox: NAL units, each behind its length in 4 bytes, big-endian
/// (ISO/IEC 14496-15 section 5.3; rows 42, 43 and 144).
///
/// Both ways and back are byte-exact where start codes have 4 bytes: every NAL unit ends in a byte that is
/// not zero, and emulation prevention keeps start codes out of it.
package enum AVCC {
    /// The sample in Annex-B form with start codes of 4 bytes; `nil` if a length is 0 or leads past the end.
    package static func annexB(from sample: RawSpan) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(sample.byteCount)
        var offset = 0
        while offset < sample.byteCount {
            guard let length = sample.uint32(at: offset), length > 0 else { return nil }
            let start = offset + 4
            guard Int(length) <= sample.byteCount - start else { return nil }
            offset = start + Int(length)
            result.append(contentsOf: AnnexB.startCode)
            result.append(sample, start..<offset)
        }
        return result
    }

    /// The NAL units of an Annex-B stream as one sample; empty if there are none.
    package static func sample(fromAnnexB bytes: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.byteCount + 8)
        AnnexB.forEachNALUnit(in: bytes) { range in
            result.append(bigEndian: UInt32(truncatingIfNeeded: range.count))
            result.append(bytes, range)
        }
        return result
    }
}
