package import HelioCore

/// A queue of buffers that a device plays one after the other: the shim over `AudioQueue`.
///
/// The queue owns the buffers: they are made with it and freed with it. All calls come on its runner.
package protocol OutputQueue: AnyObject, Sendable {
    /// Passes the whole memory of a buffer that the queue does not play now.
    func withBuffer(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void)
    /// Queues a buffer, to be played after those before it.
    func enqueue(_ index: Int, bytes: Int) throws(HelioError)
    func start() throws(HelioError)
    /// Stops at once, and frees the buffers. Callbacks that have begun still run.
    func dispose()
}
