package import HelioCore

/// The dependency descriptor: identifies a packet's frame and the frames that it references, independently of the codec
/// (AV1 RTP specification 1.0, appendix A).
///
/// Only the form that Heliograph sends is read and written: one layer, one decode target, no chains, two templates, and
/// at most one reference per frame.
///
/// ```
/// each packet (3 bytes):
/// | first (1) | last (1) | template (6) | frame number (16) |
///
/// followed by the structure, on the first packet of a keyframe (5 or 9 bytes):
/// | structure present, four flags: 1 0000 | structure ID (6): 0 | decode targets - 1 (5): 0 |
/// | layers (2 x 2): same 00, end 11 | decode target indications (2 x 2): switch 10, required 11 |
/// | frame differences: none 0, one 1 0000 0 | chains (1): 0 |
/// | size present (1) | width - 1 (16) | height - 1 (16) | padding to a whole byte |
///
/// or by a frame difference that replaces the template's, on the first packet of a frame that references an older
/// frame (3 bytes):
/// | no structure, own differences: 0 0010 | 4-bit units (2): 3 | difference - 1 (12) | end (2): 0 | padding (3) |
/// ```
package struct DependencyDescriptor: RTPExtensionValue {
    package static let uri = "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"
    /// The maximum length of the data, in bytes, for a structure with a picture size.
    package static let largestSize = 12

    /// The reference of a frame. The raw value is the template's index in the structure.
    package enum Template: UInt8, Sendable {
        /// No reference: a keyframe, or a repair picture whose reference is not signalled.
        case independent
        /// A reference to the directly preceding frame, unless `back` is set.
        case followsPrevious
    }

    /// The template dependency structure, sent on the first packet of a keyframe.
    package struct Structure: Sendable, Hashable {
        /// The size of the pictures in pixels, each side 1 to 65,536; `nil` if not signalled.
        package let size: PixelSize?

        /// Makes a structure. A size outside the range becomes `nil`.
        package init(size: PixelSize?) {
            let sides = 1...65_536
            self.size = size.flatMap { sides.contains($0.width) && sides.contains($0.height) ? $0 : nil }
        }
    }

    /// True for the first packet of the frame.
    package var isFirst: Bool
    /// True for the last packet of the frame.
    package var isLast: Bool
    package var template: Template
    /// The frame's number, which increases by 1 with each frame and wraps after 65,535.
    package var number: UInt16
    /// The structure; only on the first packet of a keyframe.
    package var structure: Structure?
    /// The difference between the frame's number and the referenced frame's number, 1 to `mostBack`, which replaces the
    /// template's difference. Only on the first packet of a frame, and never together with a structure.
    package var back: Int?

    /// The maximum frame difference, as 12 bits can encode it.
    package static let mostBack = 4096

    package init(
        isFirst: Bool, isLast: Bool, template: Template, number: UInt16, structure: Structure? = nil, back: Int? = nil
    ) {
        self.isFirst = isFirst
        self.isLast = isLast
        self.template = template
        self.number = number
        self.structure = structure
        self.back = back
    }

    /// The length of the data, in bytes.
    package var size: Int {
        guard let structure else { return back == nil ? 3 : 6 }
        return structure.size == nil ? 8 : Self.largestSize
    }

    /// The fields of the structure from its flags to the number of chains.
    private static let templates: UInt32 = 0x8000_3B40

    /// The five flags before a frame difference that replaces the template's, and the 2-bit unit count 3 for 12 bits.
    private static let customBack: UInt8 = 0b0001_0110

    /// Reads the data; `nil` if it is malformed, or if its structure is not the one that Heliograph sends.
    package init?(data: RawSpan) {
        guard
            let first = data.uint8(at: 0), let template = Template(rawValue: first & 0x3F),
            let number = data.uint16(at: 1)
        else { return nil }
        self.init(isFirst: first & 0x80 != 0, isLast: first & 0x40 != 0, template: template, number: number)
        guard data.byteCount > 3 else { return }
        if isFirst, data.byteCount == 6, let flags = data.uint8(at: 3), let rest = data.uint16(at: 4) {
            // The difference begins after seven bits, and is followed by five zero bits.
            guard flags & 0xFE == Self.customBack, template == .followsPrevious, rest & 0x1F == 0 else { return nil }
            back = (Int(flags & 1) << 11 | Int(rest >> 5)) + 1
            return
        }
        guard isFirst, data.uint32(at: 3) == Self.templates, let start = data.uint8(at: 7) else { return nil }
        if start == 0, data.byteCount == 8 {
            structure = Structure(size: nil)
        } else {
            guard data.byteCount == Self.largestSize, start & 0x80 != 0, let rest = data.uint32(at: 8),
                rest & 0x7F == 0
            else { return nil }
            let bits = UInt64(start & 0x7F) << 32 | UInt64(rest)
            structure = Structure(
                size: PixelSize(width: Int(bits >> 23) + 1, height: Int(bits >> 7 & 0xFFFF) + 1))
        }
    }

    package func write(into data: inout [UInt8]) {
        data.append((isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | template.rawValue)
        data.append(bigEndian: number)
        if structure == nil, let back {
            let value = UInt32(max(1, min(back, Self.mostBack)) - 1)
            data.append(Self.customBack | UInt8(value >> 11))
            data.append(bigEndian: UInt16(value & 0x7FF) << 5)
        }
        guard let structure else { return }
        data.append(bigEndian: Self.templates)
        guard let size = structure.size else { return data.append(0) }
        let bits = UInt64(size.width - 1) << 23 | UInt64(size.height - 1) << 7
        data.append(0x80 | UInt8(truncatingIfNeeded: bits >> 32))
        data.append(bigEndian: UInt32(truncatingIfNeeded: bits))
    }
}
