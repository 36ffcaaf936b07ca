/// A pool of pictures of one size, used again when nobody has them any more (row 95).
package protocol PicturePool<Picture>: AnyObject {
    associatedtype Picture

    /// Takes a picture out; `nil` where as many as the pool's limit are in use.
    func take() -> Picture?
}
