package import HelioCore

/// A session that scales and rotates pictures: the calls of VideoToolbox's pixel transfer and rotation sessions that
/// `PictureShaper` needs.
package protocol PictureTransfer<Picture>: AnyObject {
    associatedtype Picture

    /// Scales a picture to the size of `result`.
    func scale(_ picture: Picture, into result: Picture) -> SessionStatus
    /// Rotates a picture into `result`, which must have the rotated size.
    func turn(_ picture: Picture, by rotation: PictureRotation, into result: Picture) -> SessionStatus
    func invalidate()
}

/// Makes sessions that scale and rotate pictures, and pools of target pictures for them.
package protocol PictureTransfers<Session> {
    associatedtype Session: PictureTransfer
    associatedtype Pool: PicturePool where Pool.Picture == Session.Picture

    func makeSession() -> Result<Session, SessionFailure>
    /// Makes a pool of pictures of this size and of the pixel format of `picture`; `nil` if it can't be made.
    func makePool(_ size: PixelSize, like picture: Session.Picture, limit: Int) -> Pool?
    /// Returns the size of a picture in pixels, read from its buffer.
    func size(of picture: Session.Picture) -> PixelSize
    /// Copies a picture's colour description to `result`.
    func copyColor(from picture: Session.Picture, to result: Session.Picture)
}

/// A pool of pictures of one size; a picture is reused once it is released (requirement row 95).
package protocol PicturePool<Picture>: AnyObject {
    associatedtype Picture

    /// Returns a free picture; `nil` if the pool's limit is reached.
    func take() -> Picture?
}

/// A clockwise rotation of a picture by a multiple of 90 degrees (requirement row 94).
package enum PictureRotation: Int, Sendable, Hashable, CaseIterable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// Makes the rotation by a number of clockwise degrees, which may be negative; `nil` if it is not a multiple of 90.
    package init?(degrees: Int) {
        let turn = (degrees % 360 + 360) % 360
        self.init(rawValue: turn)
    }

    /// Returns the size of a picture after the rotation.
    package func turned(_ size: PixelSize) -> PixelSize {
        self == .quarter || self == .threeQuarters ? PixelSize(width: size.height, height: size.width) : size
    }
}
