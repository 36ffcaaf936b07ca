/// A pointer's shape, which the viewer draws itself so that it moves without delay.
public struct CursorShape: Sendable, Hashable {
    /// The size in pixels.
    public var size: PixelSize
    /// The column of the shape's pixel that is at the pointer's position.
    public var hotspotX: Int
    /// The row of that pixel.
    public var hotspotY: Int
    /// `size.area` pixels of 4 bytes: red, green, blue, alpha; not premultiplied.
    public var rgba: [UInt8]

    /// Makes a shape of `size.area` pixels, with its hot spot at a column and row within it.
    public init(size: PixelSize, hotspotX: Int, hotspotY: Int, rgba: [UInt8]) {
        self.size = size
        self.hotspotX = hotspotX
        self.hotspotY = hotspotY
        self.rgba = rgba
    }
}

/// A source of the shape and position of the machine's pointer. Called from the media thread only.
package protocol CursorSource: AnyObject {
    /// The shape, if it has changed since the last call; otherwise `nil`.
    func takeShape() throws(HelioError) -> CursorShape?
    /// The pointer's position in pixels of the captured screen; `nil` if the pointer has not moved since the last call,
    /// or is not on that screen.
    func takePosition() throws(HelioError) -> (x: Int, y: Int)?
    /// True if the pointer was on the captured screen at the last call of `takePosition`.
    var isOnScreen: Bool { get }
}

/// A pointer that is drawn into captured pictures, for clients that can't draw it themselves.
package struct DrawnPointer: Sendable, Hashable {
    package var shape: CursorShape
    /// The position of the hot spot, in pixels of the screen.
    package var x: Int
    package var y: Int

    package init(shape: CursorShape, x: Int, y: Int) {
        self.shape = shape
        self.x = x
        self.y = y
    }

    /// The pixels of the screen that the shape covers.
    package var rect: PixelRect {
        PixelRect(x: x - shape.hotspotX, y: y - shape.hotspotY, width: shape.size.width, height: shape.size.height)
    }
}
