private import HelioCore

/// The payload of a sound message: an FLV tag's body with AAC (Adobe Flash Video File Format 10.1 annex E.4.2), or
/// [enhanced RTMP](https://github.com/veovera/enhanced-rtmp)'s with Opus.
///
/// ```
/// AAC    | AF | 0: configuration, 1: access unit (8) | …       AF: AAC, with fixed values for rate and channels
/// Opus   | 9 (4) | 0: configuration, 1: packet, 2: end (4) | "Opus" | …
/// ```
package enum FLVSoundTag: Sendable, Hashable {
    package enum Codec: Sendable, Hashable {
        case aac
        case opus
    }

    /// The decoder's configuration: an AudioSpecificConfig, or the identification header of RFC 7845 section 5.1.
    case configuration(Codec, [UInt8])
    case packet(Codec, [UInt8])

    /// The four characters of Opus as a number, also used as the codec in metadata.
    package static let opusFourCC: UInt32 = 0x4F70_7573
    package static let aacID: UInt8 = 10

    package var bytes: [UInt8] {
        switch self {
        case .configuration(.aac, let bytes): return [0xAF, 0] + bytes
        case .packet(.aac, let bytes): return [0xAF, 1] + bytes
        case .configuration(.opus, let bytes): return Self.opus(0, bytes)
        case .packet(.opus, let bytes): return Self.opus(1, bytes)
        }
    }

    private static func opus(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x90 | kind]
        output.append(bigEndian: opusFourCC)
        return output + bytes
    }

    /// Reads a tag's body; `nil` if it is truncated, or if the codec or packet type is not supported.
    package init?(_ body: [UInt8]) {
        let bytes = body.span.bytes
        guard let head = bytes.uint8(at: 0) else { return nil }
        let codec: Codec
        let kind: UInt8
        let start: Int
        switch head >> 4 {
        case Self.aacID:
            guard let type = bytes.uint8(at: 1) else { return nil }
            (codec, kind, start) = (.aac, type, 2)
        case 9:
            guard bytes.uint32(at: 1) == Self.opusFourCC else { return nil }
            (codec, kind, start) = (.opus, head & 0x0F, 5)
        default: return nil
        }
        switch kind {
        case 0: self = .configuration(codec, Array(body[start...]))
        case 1: self = .packet(codec, Array(body[start...]))
        default: return nil
        }
    }
}
