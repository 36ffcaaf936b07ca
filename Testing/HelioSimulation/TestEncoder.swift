package import HelioCore

/// Makes access units with valid H.264 or H.265 NAL headers and the frame's index in the slices, for tests of
/// transport.
package struct TestEncoder {
    package private(set) var nextIndex: UInt64 = 0
    private var generator: SeededGenerator
    /// The approximate size of a slice, in bytes.
    package var sliceBytes = 900
    package var codec = VideoCodec.h264

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Makes a frame of two slices.
    ///
    /// - Parameter repairsSince: makes a repair picture that repairs all frames since this one; only for H.264, and not
    ///   for a keyframe.
    package mutating func frame(keyframe: Bool, repairsSince: UInt64? = nil, now: Instant) -> [EncodedSlice] {
        precondition(repairsSince == nil || !keyframe && codec == .h264, "no such repair picture")
        defer { nextIndex += 1 }
        let timing = FrameTiming(damaged: now, captured: now, converted: now, encoded: now)
        var first: [UInt8] = []
        if keyframe {
            switch codec {
            case .h264:
                Self.append([0x67, 0x64, 0x00, 0x2A, 0xAC], to: &first)
                Self.append([0x68, 0xEE, 0x3C, 0x80], to: &first)
            case .h265:
                Self.append([0x40, 0x01, 0x0C, 0x11, 0xFF], to: &first)
                Self.append([0x42, 0x01, 0x11, 0x81, 0x60], to: &first)
                Self.append([0x44, 0x01, 0xC1, 0x72, 0xB4], to: &first)
            }
        }
        Self.append(slice(keyframe, part: 0, repairsSince), to: &first)
        var second: [UInt8] = []
        Self.append(slice(keyframe, part: 1, repairsSince), to: &second)
        return [
            EncodedSlice(
                frameIndex: nextIndex, annexB: first, isFirst: true, isLast: false, isKeyframe: keyframe,
                timing: timing, repairsSince: repairsSince),
            EncodedSlice(
                frameIndex: nextIndex, annexB: second, isFirst: false, isLast: true, isKeyframe: keyframe,
                timing: timing, repairsSince: repairsSince),
        ]
    }

    private mutating func slice(_ keyframe: Bool, part: UInt8, _ repairsSince: UInt64?) -> [UInt8] {
        let size = keyframe ? sliceBytes * 8 : Int.random(in: 20...sliceBytes * 2, using: &generator)
        // H.265: IDR_W_RADL or TRAIL_R, first layer.
        let picture: UInt8 = repairsSince == nil ? 0x41 : 0x61
        var bytes: [UInt8] = codec == .h264 ? [keyframe ? 0x65 : picture] : [keyframe ? 0x26 : 0x02, 0x01]
        bytes.append(part)
        // The bytes of a number can't form a start code, as their highest bit is set.
        for number in [nextIndex] + (repairsSince.map { [$0] } ?? []) {
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (7 * UInt64(shift))) & 0x7F | 0x80) }
        }
        bytes += [UInt8](repeating: UInt8.random(in: 4 ... .max, using: &generator), count: size)
        return bytes
    }

    private static func append(_ nal: [UInt8], to annexB: inout [UInt8]) {
        annexB += [0, 0, 0, 1]
        annexB += nal
    }

    /// Returns the index in the slices of a received frame; `nil` if they differ or a slice is missing.
    package static func index(of frame: ReceivedFrame) -> UInt64? { numbers(of: frame)?.index }

    /// Returns the `repairsSince` of a received repair picture; `nil` for any other frame.
    package static func repairsSince(_ frame: ReceivedFrame) -> UInt64? { numbers(of: frame)?.repairsSince }

    private static func numbers(of frame: ReceivedFrame) -> (index: UInt64, repairsSince: UInt64?)? {
        var since: UInt64?
        var found: [UInt8: UInt64] = [:]
        var position = 0
        let bytes = frame.annexB
        while position + 4 < bytes.count {
            // Compare the first byte alone first: tests scan a hundred million bytes, and few belong to a start code.
            guard bytes[position] == 0, bytes[position..<position + 4].elementsEqual([0, 0, 0, 1]) else {
                position += 1
                continue
            }
            let slices: [UInt8] = frame.codec == .h264 ? [0x65, 0x41, 0x61] : [0x26, 0x02]
            guard slices.contains(bytes[position + 4]) else {
                position += 4
                continue
            }
            // The offset of the NAL header's last byte: H.265's header has two bytes.
            let nal = position + (frame.codec == .h264 ? 4 : 5)
            if nal + 10 <= bytes.count { found[bytes[nal + 1]] = number(in: bytes, at: nal + 2) }
            if frame.codec == .h264, bytes[nal] == 0x61, nal + 18 <= bytes.count {
                since = number(in: bytes, at: nal + 10)
            }
            position = nal
        }
        guard let first = found[0], found[1] == first else { return nil }
        return (first, since)
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1] & 0x7F) << (7 * UInt64($1)) }
    }
}
