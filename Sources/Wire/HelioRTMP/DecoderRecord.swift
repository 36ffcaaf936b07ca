private import HelioBitstream
package import HelioCore

/// The decoder configuration record: the parameter sets, sent before the pictures that need them (ISO/IEC 14496-15
/// sections 5.3.3.1 for H.264 and 8.3.3.1 for H.265).
///
/// ```
/// H.264  | 1 | profile, constraints, level | FC + length size - 1 | E0 + count | length (16), SPS … |
///        | count | length, PPS …
///        high profiles: | FC + chroma format | F8 + luma bits - 8 | F8 + chroma bits - 8 | 0 |
/// H.265  | 1 | profile, tier, constraints, level: 12 bytes of the SPS | F000 | FC | FC + chroma format |
///        | F8 + luma bits - 8 | F8 + chroma bits - 8 | frame rate: 0 (16) | layers, nesting, length size - 1 |
///        | arrays | type, count (16), length …
/// ```
package enum DecoderRecord {
    /// The maximum number of parameter sets of a type, and the maximum size of a parameter set in bytes.
    private static let maximumCount = 31
    private static let maximumSize = 1 << 16 - 1

    /// Makes a record of a stream's parameter sets; `nil` if a required type is missing, or if the sets are too many or
    /// too large for a record.
    ///
    /// - Parameter sets: NAL units without start codes, in any order.
    package static func make(_ codec: VideoCodec, _ sets: [[UInt8]]) -> [UInt8]? {
        guard sets.allSatisfy({ $0.count > NALHeader.size(codec) && $0.count <= maximumSize }) else { return nil }
        return codec == .h264 ? h264(sets) : h265(sets)
    }

    private static func h264(_ sets: [[UInt8]]) -> [UInt8]? {
        let sps = sets.filter { H264NALType(header: $0[0]) == .sps }
        let pps = sets.filter { H264NALType(header: $0[0]) == .pps }
        guard let first = sps.first, first.count >= 4, !pps.isEmpty, sps.count <= maximumCount,
            pps.count <= maximumCount
        else { return nil }
        var record: [UInt8] = [1, first[1], first[2], first[3], 0xFC | 3, 0xE0 | UInt8(sps.count)]
        append(sps, to: &record)
        record.append(UInt8(pps.count))
        append(pps, to: &record)
        if [100, 110, 122, 144, 244].contains(first[1]) {
            guard let parameters = H264SequenceParameters.parse(nal: first.span.bytes) else { return nil }
            let depth = UInt8(clamping: parameters.bitDepth - 8)
            record += [0xFC | parameters.chromaFormat, 0xF8 | depth & 7, 0xF8 | depth & 7, 0]
        }
        return record
    }

    private static func h265(_ sets: [[UInt8]]) -> [UInt8]? {
        let kinds: [H265NALType] = [.vps, .sps, .pps]
        let arrays = kinds.map { kind in sets.filter { H265NALType(header: $0[0]) == kind } }
        guard arrays.allSatisfy({ !$0.isEmpty && $0.count <= maximumCount }), let first = arrays[1].first,
            let parameters = H265SequenceParameters.parse(nal: first.span.bytes)
        else { return nil }
        var reader = BitReader(nal: first.span.bytes, header: 2, limit: 64)
        var record: [UInt8] = [1]
        do throws(BitstreamError) {
            try reader.skip(4)
            let layers = UInt8(try reader.bits(3) + 1)
            let isNested = UInt8(try reader.bits(1))
            for _ in 0..<12 { record.append(try reader.byte()) }
            let depth = UInt8(clamping: parameters.bitDepth - 8) & 7
            record += [0xF0, 0, 0xFC, 0xFC | parameters.chromaFormat, 0xF8 | depth, 0xF8 | depth, 0, 0]
            record.append(layers << 3 | isNested << 2 | 3)
        } catch {
            return nil
        }
        record.append(UInt8(arrays.count))
        for (kind, sets) in zip(kinds, arrays) {
            // The highest bit marks the array as complete.
            record.append(0x80 | kind.rawValue)
            record.append(bigEndian: UInt16(sets.count))
            append(sets, to: &record)
        }
        return record
    }

    private static func append(_ sets: [[UInt8]], to record: inout [UInt8]) {
        for set in sets {
            record.append(bigEndian: UInt16(set.count))
            record.append(contentsOf: set)
        }
    }

    /// The parameter sets of a record, in its order; `nil` if the record is truncated, or if the length fields of
    /// samples do not have 4 bytes.
    package static func parameterSets(_ codec: VideoCodec, in record: [UInt8]) -> [[UInt8]]? {
        let bytes = record.span.bytes
        guard bytes.uint8(at: 0) == 1, let sizes = bytes.uint8(at: codec == .h264 ? 4 : 21), sizes & 3 == 3 else {
            return nil
        }
        var sets: [[UInt8]] = []
        var offset: Int
        func take(_ count: Int) -> Bool {
            for _ in 0..<count {
                guard let length = bytes.uint16(at: offset),
                    let set = bytes.bytes(at: offset + 2, count: Int(length)), !set.isEmpty
                else { return false }
                sets.append(set)
                offset += 2 + set.count
            }
            return true
        }
        if codec == .h264 {
            offset = 6
            guard let count = bytes.uint8(at: 5), take(Int(count & 0x1F)), let others = bytes.uint8(at: offset) else {
                return nil
            }
            offset += 1
            guard take(Int(others)) else { return nil }
        } else {
            offset = 23
            guard let arrays = bytes.uint8(at: 22) else { return nil }
            for _ in 0..<arrays {
                guard let count = bytes.uint16(at: offset + 1) else { return nil }
                offset += 3
                guard take(Int(count)) else { return nil }
            }
        }
        return sets
    }
}
