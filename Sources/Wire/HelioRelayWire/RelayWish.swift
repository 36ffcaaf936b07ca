package import HelioCore

/// What an app wants an extension's encoder to keep to, until the next one. The extension decides how far it goes along.
///
/// ```
/// | 11 | bits a second 4 | width 2 | height 2 |
/// ```
///
/// 0 wishes for nothing: as much as the extension likes; a size wishes for both directions, or for none.
package struct RelayWish: Sendable, Hashable {
    /// The most bits a second, at least 1; `nil`: any.
    package var bitrate: UInt32?
    /// The largest picture, 1...16384 in both directions, for a screen in either orientation; `nil`: any.
    package var largest: PixelSize?

    package init(bitrate: UInt32? = nil, largest: PixelSize? = nil) {
        self.bitrate = bitrate
        self.largest = largest
    }

    /// True if it can be written and is read again.
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
