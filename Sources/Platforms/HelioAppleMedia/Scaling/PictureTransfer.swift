package import HelioCore

/// A session that scales and turns pictures: the calls of VideoToolbox's transfer and rotation sessions that
/// `PictureShaper` needs.
package protocol PictureTransfer<Picture>: AnyObject {
    associatedtype Picture

    /// Scales a picture to fill another one of the same shape.
    func scale(_ picture: Picture, into result: Picture) -> SessionStatus
    /// Turns a picture into another one, which must have the turned size.
    func turn(_ picture: Picture, by rotation: PictureRotation, into result: Picture) -> SessionStatus
    func invalidate()
}

/// Makes sessions that scale and turn pictures, and pools of the pictures that they fill.
package protocol PictureTransfers<Session> {
    associatedtype Session: PictureTransfer
    associatedtype Pool: PicturePool where Pool.Picture == Session.Picture

    func makeSession() -> Result<Session, SessionFailure>
    /// A pool of pictures of this size, otherwise like `picture`; `nil` where there is no memory.
    func makePool(_ size: PixelSize, like picture: Session.Picture, limit: Int) -> Pool?
    /// The size of a picture in pixels, read from its buffer.
    func size(of picture: Session.Picture) -> PixelSize
    /// Copies the description of a picture's colours to another picture.
    func copyColor(from picture: Session.Picture, to result: Session.Picture)
}

/// A pool of pictures of one size, which are reused once they are released (row 95).
package protocol PicturePool<Picture>: AnyObject {
    associatedtype Picture

    /// Takes a picture; `nil` if as many as the pool's limit are in use.
    func take() -> Picture?
}

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
