package import HelioCore

/// The placement of a picture in its view, fitted or zoomed; positions and lengths are in points of the view.
///
/// The web viewer's `Web/viewer/picture/geometry.js` does the same; both are tested with `Testing/Vectors/view.json`.
package struct ZoomedView: Hashable, Sendable {
    /// The picture's size in its own pixels.
    package var picture: PixelSize { didSet { limit() } }
    package private(set) var width: Double
    package private(set) var height: Double
    /// The zoom factor; at 1 the whole picture is visible.
    package private(set) var zoom = 1.0
    package let maximumZoom: Double
    /// The offset of the picture's centre from the view's centre.
    private var offset = Place(x: 0, y: 0)

    package init(picture: PixelSize, width: Double, height: Double, maximumZoom: Double = 8) {
        self.picture = picture
        self.width = width
        self.height = height
        self.maximumZoom = maximumZoom
    }

    /// The scale of the picture, in points of the view per pixel; 1 for an empty picture.
    package var scale: Double {
        guard picture.width > 0, picture.height > 0 else { return 1 }
        return min(width / Double(picture.width), height / Double(picture.height)) * zoom
    }

    /// The picture's rectangle, relative to the view's top left corner.
    package var frame: (x: Double, y: Double, width: Double, height: Double) {
        let (wide, high) = (Double(picture.width) * scale, Double(picture.height) * scale)
        return ((width - wide) / 2 + offset.x, (height - high) / 2 + offset.y, wide, high)
    }

    /// Sets the view's size, and keeps the picture within its limits.
    package mutating func resize(width: Double, height: Double) {
        self.width = width
        self.height = height
        limit()
    }

    /// Zooms to a factor of 1 to ``maximumZoom``, keeping the content under the point in place.
    package mutating func zoom(to wanted: Double, x: Double, y: Double) {
        let before = zoom
        zoom = min(max(wanted, 1), maximumZoom)
        let point = Place(x: x - width / 2, y: y - height / 2)
        offset = point - (point - offset) * (zoom / before)
        limit()
    }

    package mutating func resetZoom() {
        zoom = 1
        offset = Place(x: 0, y: 0)
    }

    /// Moves the picture, no further than to its edges. Returns whether it moved.
    @discardableResult
    package mutating func pan(dx: Double, dy: Double) -> Bool {
        let before = offset
        offset = offset + Place(x: dx, y: dy)
        limit()
        return offset != before
    }

    /// Pans as little as needed to bring a pixel of the picture at least `margin` away from the view's edges; used to
    /// follow the moving pointer. Returns whether the picture moved.
    @discardableResult
    package mutating func reveal(x: Double, y: Double, margin: Double) -> Bool {
        let frame = frame
        return pan(
            dx: Self.missing(frame.x + x * scale, width, margin), dy: Self.missing(frame.y + y * scale, height, margin))
    }

    private static func missing(_ place: Double, _ length: Double, _ margin: Double) -> Double {
        let edge = min(margin, length / 2)
        return place < edge ? edge - place : place > length - edge ? length - edge - place : 0
    }

    private mutating func limit() {
        offset.x = Self.limited(offset.x, Double(picture.width) * scale, width)
        offset.y = Self.limited(offset.y, Double(picture.height) * scale, height)
    }

    private static func limited(_ place: Double, _ picture: Double, _ view: Double) -> Double {
        let most = max(0, (picture - view) / 2)
        return min(max(place, -most), most)
    }
}
