package import HelioCore

/// A queue of buffers that a device plays one after the other: the shim over `AudioQueue`.
///
/// The buffers are the queue's, made with it and freed with it. All calls come on its runner.
package protocol OutputQueue: AnyObject, Sendable {
    /// Gives the memory of a buffer that the queue does not play now, all of it.
    func withBuffer(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void)
    /// Has a buffer played after those before it.
    func enqueue(_ index: Int, bytes: Int) throws(HelioError)
    func start() throws(HelioError)
    /// Stops at once, and frees the buffers. Callbacks that are under way still come.
    func dispose()
}
