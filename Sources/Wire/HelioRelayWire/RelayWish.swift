package import HelioCore

/// The limits that an app requests for an extension's encoder, until the next wish. The extension decides whether it
/// complies.
///
/// ```
/// | 11 | bits a second 4 | width 2 | height 2 |
/// ```
///
/// A value of 0 means no limit; width and height are both 0 or both above 0.
package struct RelayWish: Sendable, Hashable {
    /// The maximum bitrate in bits per second, at least 1; `nil` for no limit.
    package var bitrate: UInt32?
    /// The maximum picture size, width and height 1...16384 each; `nil` for no limit. For a screen in the other
    /// orientation, width and height are exchanged.
    package var largest: PixelSize?

    package init(bitrate: UInt32? = nil, largest: PixelSize? = nil) {
        self.bitrate = bitrate
        self.largest = largest
    }

    /// True if the wish can be written and parsed.
    package var isValid: Bool {
        bitrate != 0 && largest.map { (1...16384).contains($0.width) && (1...16384).contains($0.height) } ?? true
    }

    init?(_ payload: RawSpan) {
        guard let bitrate = payload.uint32(at: 1), let width = payload.uint16(at: 5),
            let height = payload.uint16(at: 7),
            (width == 0) == (height == 0)
        else { return nil }
        self.init(
            bitrate: bitrate == 0 ? nil : bitrate,
            largest: width == 0 ? nil : PixelSize(width: Int(width), height: Int(height)))
        guard isValid else { return nil }
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: bitrate ?? 0)
        bytes.append(bigEndian: UInt16(clamping: largest?.width ?? 0))
        bytes.append(bigEndian: UInt16(clamping: largest?.height ?? 0))
    }
}
