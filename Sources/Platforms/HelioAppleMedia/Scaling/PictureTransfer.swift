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
