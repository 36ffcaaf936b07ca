package import HelioCore

/// Paints grey test pictures into the platform's buffers: a shim.
package protocol TestPicturePainting: AnyObject {
    associatedtype Buffer: Sendable

    /// Paints `parts`, from back to front, into a new picture; `nil` if memory can't be allocated.
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
