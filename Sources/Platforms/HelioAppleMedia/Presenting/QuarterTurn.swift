package import HelioCore

/// A rotation of the picture in the viewer's window, clockwise.
package enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case right = 90
    case half = 180
    case left = 270

    /// The size of a turned picture.
    package func size(of picture: PixelSize) -> PixelSize {
        switch self {
        case .none, .half: picture
        case .right, .left: PixelSize(width: picture.height, height: picture.width)
        }
    }

    /// The point of the picture that is seen at a point of the turned picture. Points are fractions, from the left and
    /// the top edge.
    package func source(ofX x: Double, y: Double) -> (x: Double, y: Double) {
        switch self {
        case .none: (x, y)
        case .right: (y, 1 - x)
        case .half: (1 - x, 1 - y)
        case .left: (1 - y, x)
        }
    }

    /// The point of the turned picture at which a point of the picture is seen.
    package func target(ofX x: Double, y: Double) -> (x: Double, y: Double) {
        switch self {
        case .none: (x, y)
        case .right: (1 - y, x)
        case .half: (1 - x, 1 - y)
        case .left: (y, 1 - x)
        }
    }
}
