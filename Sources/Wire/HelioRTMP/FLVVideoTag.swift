package import HelioCore

/// The payload of a video message: an FLV tag's body (Adobe Flash Video File Format 10.1 annex E.4.3), or for H.265
/// [enhanced RTMP](https://github.com/veovera/enhanced-rtmp)'s, which identifies the codec by four characters.
///
/// ```
/// H.264  | frame type (4) | 7 (4) | 0: record, 1: picture, 2: end (8) | composition offset (24) | …
/// hvc1   | 1 | frame type (3) | 0: record, 1: picture, 2: end, 3: picture without an offset (4) | "hvc1" | …
/// ```
package enum FLVVideoTag: Sendable, Hashable {
    /// The decoder configuration record for the following pictures.
    case configuration(VideoCodec, [UInt8])
    /// A picture: NAL units, each preceded by a length of 4 bytes.
    ///
    /// - offset: the time from the message's timestamp, which is the decoding time, to the presentation; milliseconds,
    ///   24 bits.
    case picture(VideoCodec, isKeyframe: Bool, offset: Int32, sample: [UInt8])
    case end(VideoCodec)

    /// The four characters of H.265 as a number, also used as the codec in metadata.
    package static let h265FourCC: UInt32 = 0x6876_6331
    package static let h264ID: UInt8 = 7

    package var bytes: [UInt8] {
        var output: [UInt8] = []
        switch self {
        case .configuration(.h264, let record): return [0x17, 0, 0, 0, 0] + record
        case .configuration(.h265, let record):
            output.append(0x90)
            output.append(bigEndian: Self.h265FourCC)
            return output + record
        case .picture(let codec, let isKeyframe, let offset, let sample):
            output.reserveCapacity(8 + sample.count)
            let type: UInt8 = isKeyframe ? 0x10 : 0x20
            switch codec {
            case .h264:
                output += [type | Self.h264ID, 1]
                output.append(bigEndian24: UInt32(bitPattern: offset))
            case .h265:
                output.append(0x80 | type | (offset == 0 ? 3 : 1))
                output.append(bigEndian: Self.h265FourCC)
                if offset != 0 { output.append(bigEndian24: UInt32(bitPattern: offset)) }
            }
            output.append(contentsOf: sample)
        case .end(.h264): return [0x17, 2, 0, 0, 0]
        case .end(.h265):
            output.append(0x92)
            output.append(bigEndian: Self.h265FourCC)
        }
        return output
    }

    /// Reads a tag's body; `nil` if it is truncated, or if the codec or packet type is not supported.
    package init?(_ body: [UInt8]) {
        let bytes = body.span.bytes
        guard let head = bytes.uint8(at: 0) else { return nil }
        let isEnhanced = head & 0x80 != 0
        let frame = head >> 4 & 7
        let kind: UInt8
        var start = 5
        let codec: VideoCodec
        if isEnhanced {
            guard bytes.uint32(at: 1) == Self.h265FourCC else { return nil }
            (codec, kind) = (.h265, head & 0x0F)
        } else {
            guard head & 0x0F == Self.h264ID, let type = bytes.uint8(at: 1), bytes.uint24(at: 2) != nil else {
                return nil
            }
            (codec, kind) = (.h264, type)
        }
        switch kind {
        case 0: self = .configuration(codec, Array(body[start...]))
        case 2: self = .end(codec)
        case 1, 3:
            guard frame == 1 || frame == 2, kind == 1 || isEnhanced else { return nil }
            var offset: Int32 = 0
            if kind == 1 {
                guard let value = bytes.uint24(at: isEnhanced ? 5 : 2) else { return nil }
                if isEnhanced { start += 3 }
                offset = Int32(bitPattern: value << 8) >> 8
            }
            self = .picture(codec, isKeyframe: frame == 1, offset: offset, sample: Array(body[start...]))
        default: return nil
        }
    }
}
