package import HelioBitstream
import HelioCore

/// The `frame_num` of the slices in a payload of H.264 (RFC 6184), to be read and rewritten.
package struct SlicePayload {
    private let numbers: SliceNumber

    package init(_ numbers: SliceNumber) { self.numbers = numbers }

    /// The `frame_num` of the payload's first slice; `nil` if none begins in it.
    package func read(_ payload: RawSpan) -> Int? {
        var number: Int?
        forEachSlice(of: payload) { start, end in
            if number == nil { number = numbers.read(payload.extracting(start..<end), header: 0) }
        }
        return number
    }

    /// Returns the payload with the `frame_num` of each slice that begins in it reduced by `less`; `nil` if none does,
    /// or if one can't be read. Emulation prevention may make it a few bytes longer, or shorter.
    package func rewritten(_ payload: RawSpan, less: Int) -> [UInt8]? {
        var out: [UInt8] = []
        var copied = 0
        var isReadable = true
        forEachSlice(of: payload) { start, end in
            out.append(payload, copied..<start)
            let before = out.count
            let slice = payload.extracting(start..<end)
            guard let offset = numbers.append(headOf: slice, from: 0, less: less, to: &out) else {
                isReadable = false
                return
            }
            let growth = out.count - before - offset
            // An aggregated NAL unit has its size in front of its header.
            if growth != 0, Self.type(of: payload) == .stapA {
                let size = UInt16(truncatingIfNeeded: end - start + 1 + growth)
                out[before - 3] = UInt8(size >> 8)
                out[before - 2] = UInt8(truncatingIfNeeded: size)
            }
            copied = start + offset
        }
        guard isReadable, copied > 0 else { return nil }
        out.append(payload, copied..<payload.byteCount)
        return out
    }

    /// Calls `body` with the bounds, in the payload, of what follows the NAL unit header of each slice that begins in
    /// it.
    private func forEachSlice(of payload: RawSpan, _ body: (_ start: Int, _ end: Int) -> Void) {
        if Self.type(of: payload) == .fuA {
            // The start bit: the slice's beginning is in this fragment.
            guard let fragment = payload.uint8(at: 1), fragment & 0x80 != 0, Self.isSlice(fragment) else { return }
            return body(2, payload.byteCount)
        }
        AggregatedUnits.forEachUnit(in: payload) { unit in
            guard let header = payload.uint8(at: unit.lowerBound), Self.isSlice(header) else { return }
            body(unit.lowerBound + 1, unit.upperBound)
        }
    }

    private static func type(of payload: RawSpan) -> H264NALType? {
        payload.uint8(at: 0).map { H264NALType(header: $0) }
    }

    private static func isSlice(_ header: UInt8) -> Bool {
        let type = H264NALType(header: header)
        return type == .slice || type == .idr
    }
}
