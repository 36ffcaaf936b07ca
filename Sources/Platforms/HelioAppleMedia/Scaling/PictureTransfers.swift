package import HelioCore

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
