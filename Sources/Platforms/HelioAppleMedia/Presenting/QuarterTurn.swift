package import HelioCore

/// A rotation of the picture in the viewer's window, clockwise.
package enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case right = 90
    case half = 180
    case left = 270

    /// Returns the size of the rotated picture.
    package func size(of picture: PixelSize) -> PixelSize {
        switch self {
        case .none, .half: picture
        case .right, .left: PixelSize(width: picture.height, height: picture.width)
        }
    }

    /// Maps a point of the rotated picture to the unrotated picture. Coordinates are normalised: 0...1 from the left
    /// and the top edge.
    package func source(ofX x: Double, y: Double) -> (x: Double, y: Double) {
        switch self {
        case .none: (x, y)
        case .right: (y, 1 - x)
        case .half: (1 - x, 1 - y)
        case .left: (1 - y, x)
        }
    }

    /// Maps a point of the unrotated picture to the rotated picture. Coordinates are normalised: 0...1 from the left
    /// and the top edge.
    package func target(ofX x: Double, y: Double) -> (x: Double, y: Double) {
        switch self {
        case .none: (x, y)
        case .right: (1 - y, x)
        case .half: (1 - x, 1 - y)
        case .left: (y, 1 - x)
        }
    }
}
