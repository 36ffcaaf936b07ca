package import HelioCore

/// A turn of a picture, clockwise, in quarters (row 94).
package enum PictureRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// The turn by clockwise degrees of either sign; `nil` for a number that is no multiple of 90.
    package init?(degrees: Int) {
        let turn = (degrees % 360 + 360) % 360
        self.init(rawValue: turn)
    }

    /// The size of a picture of this size after the turn.
    package func turned(_ size: PixelSize) -> PixelSize {
        self == .quarter || self == .threeQuarters ? PixelSize(width: size.height, height: size.width) : size
    }
}
