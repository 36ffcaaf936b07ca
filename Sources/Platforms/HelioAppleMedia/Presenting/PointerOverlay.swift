package import HelioCore

/// The display of the host's pointer at the viewer. While the viewer controls the host, this machine's own pointer
/// takes the shape of the host's; otherwise the host's pointer is drawn over the picture.
package struct PointerOverlay: Sendable, Hashable {
    /// The look of this machine's own pointer over the picture.
    package enum Local: Sendable, Hashable {
        /// The system's usual pointer.
        case system
        case shape(CursorShape)
        case hidden
    }

    /// A pointer that is drawn over the picture.
    package struct Drawn: Sendable, Hashable {
        package var shape: CursorShape
        /// The rectangle in the view's pixels, which may extend beyond the view's edges.
        package var rect: PixelRect
    }

    /// True while input is sent to the host.
    package var controls = false
    /// True while this machine's own pointer is over the picture.
    package var isOverPicture = false
    /// True while the pointer is hidden and only its relative movements are sent.
    package var isLocked = false
    private var shape: CursorShape?
    private var isKnown = false
    /// The position of the host's pointer, in pixels of the picture; `nil` if it is not on the picture.
    package private(set) var position: Position?

    package struct Position: Sendable, Hashable {
        package var x: Int
        package var y: Int
    }

    /// The maximum side of a shape, in pixels; a larger shape is not shown.
    private static let largestShape = 1024

    package init() {}

    /// Sets the shape; `nil` if the host shows none. Returns true if the shape has changed.
    @discardableResult
    package mutating func setShape(_ shape: CursorShape?) -> Bool {
        let usable = shape.flatMap { Self.isUsable($0) ? $0 : nil }
        if isKnown, usable == self.shape { return false }
        (self.shape, isKnown) = (usable, true)
        return true
    }

    /// Sets the position of the host's pointer in pixels of the picture; `nil` if it is not on the picture.
    package mutating func setPosition(_ place: (x: Int, y: Int)?) {
        position = place.map { Position(x: $0.x, y: $0.y) }
    }

    /// True if this machine's own pointer, which moves without delay, stands for the host's: while the viewer controls
    /// the host, and the pointer is over the picture and not locked.
    private var isOurs: Bool { controls && isOverPicture && !isLocked && isKnown }

    /// Returns the look of this machine's own pointer; the host's shape is scaled like the picture.
    package func local(in layout: ViewLayout) -> Local {
        guard isOurs else { return .system }
        guard let shape else { return .hidden }
        return scaled(shape, by: layout.scale).map { .shape($0) } ?? .system
    }

    /// Returns the pointer to draw over the picture; `nil` if none is to be drawn.
    package func drawn(in layout: ViewLayout) -> Drawn? {
        guard !(controls && isOverPicture && !isLocked), let position, let shape else { return nil }
        guard let scaled = scaled(shape, by: layout.scale) else { return nil }
        let place = layout.viewPoint(ofX: position.x, y: position.y)
        return Drawn(
            shape: scaled,
            rect: PixelRect(
                x: place.x - scaled.hotspotX, y: place.y - scaled.hotspotY, width: scaled.size.width,
                height: scaled.size.height))
    }

    private func scaled(_ shape: CursorShape, by scale: (x: Double, y: Double)) -> CursorShape? {
        func side(_ length: Int, _ scale: Double) -> Int {
            min(2 * Self.largestShape, max(1, Int((Double(length) * scale).rounded())))
        }
        return shape.scaled(
            to: PixelSize(width: side(shape.size.width, scale.x), height: side(shape.size.height, scale.y)))
    }

    private static func isUsable(_ shape: CursorShape) -> Bool {
        (1...largestShape).contains(shape.size.width) && (1...largestShape).contains(shape.size.height)
            && shape.rgba.count >= shape.size.area * 4
    }
}

extension CursorShape {
    /// A transparent shape of one pixel, to hide the pointer.
    package static var transparent: CursorShape {
        CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])
    }
}
