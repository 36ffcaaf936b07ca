package import HelioBitstream
import HelioCore

/// Reads and rewrites the `frame_num` of the slices in an H.264 payload (RFC 6184).
package struct SlicePayload {
    private let numbers: SliceNumber

    package init(_ numbers: SliceNumber) { self.numbers = numbers }

    /// Reads the `frame_num` of the first slice that begins in the payload; `nil` if no slice begins there, or if the
    /// number can't be parsed.
    package func read(_ payload: RawSpan) -> Int? {
        var number: Int?
        forEachSlice(of: payload) { start, end in
            if number == nil { number = numbers.read(payload.extracting(start..<end), header: 0) }
        }
        return number
    }

    /// Returns the payload with `frame_num` reduced by `less` in each slice that begins in the payload; `nil` if no
    /// slice begins there, or if a `frame_num` can't be parsed. Changes in emulation prevention may make the payload a
    /// few bytes longer or shorter.
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
            // In a STAP-A, the NAL unit's size precedes its header.
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

    /// Calls `body` for each slice that begins in the payload, with the bounds, as offsets in the payload, of the
    /// slice's bytes after the NAL unit header.
    private func forEachSlice(of payload: RawSpan, _ body: (_ start: Int, _ end: Int) -> Void) {
        if Self.type(of: payload) == .fuA {
            // The start bit is set if the slice begins in this fragment.
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
