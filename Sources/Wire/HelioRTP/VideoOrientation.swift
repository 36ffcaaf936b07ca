import HelioCore

/// The orientation of a picture: the rotation that the receiver has to apply (CVO, 3GPP TS 26.114 section 7.4.5).
///
/// ```
/// | 0 0 0 0 | C | F | R1 R0 |     C: back camera, F: mirrored, R: quarter turns
/// ```
package struct VideoOrientation: RTPExtensionValue {
    package static let uri = "urn:3gpp:video-orientation"
    package var isBackCamera: Bool
    /// True if the picture is mirrored left to right before the rotation.
    package var isFlipped: Bool
    /// The clockwise quarter turns that the receiver applies, 0 to 3.
    package let quarterTurns: UInt8

    package init(quarterTurns: UInt8, isFlipped: Bool = false, isBackCamera: Bool = false) {
        self.quarterTurns = quarterTurns & 3
        self.isFlipped = isFlipped
        self.isBackCamera = isBackCamera
    }

    /// Reads the data. The upper four bits, which refine the angle in an optional form of the extension, are ignored.
    package init?(data: RawSpan) {
        guard data.byteCount == 1, let bits = data.uint8(at: 0) else { return nil }
        self.init(quarterTurns: bits, isFlipped: bits & 4 != 0, isBackCamera: bits & 8 != 0)
    }

    package func write(into data: inout [UInt8]) {
        data.append((isBackCamera ? 8 : 0) | (isFlipped ? 4 : 0) | quarterTurns)
    }
}
