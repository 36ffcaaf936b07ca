package import HelioCore

/// A painter of grey test pictures into the platform's buffers: a shim.
package protocol TestPicturePainting: AnyObject {
    associatedtype Buffer: Sendable

    /// Makes a picture of rectangles of one luma each, one over the other; `nil` where there is no memory for it.
    func paint(_ parts: [TestPicturePart], size: PixelSize) -> Buffer?
}

/// A rectangle of a test picture.
package struct TestPicturePart: Sendable, Hashable {
    package var rect: PixelRect
    /// The luma, in the limited range of BT.709.
    package var luma: UInt8

    package init(rect: PixelRect, luma: UInt8) {
        self.rect = rect
        self.luma = luma
    }
}
