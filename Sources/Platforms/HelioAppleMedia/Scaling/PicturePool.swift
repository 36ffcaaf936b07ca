/// A pool of pictures of one size, which are reused once they are released (row 95).
package protocol PicturePool<Picture>: AnyObject {
    associatedtype Picture

    /// Takes a picture; `nil` if as many as the pool's limit are in use.
    func take() -> Picture?
}
