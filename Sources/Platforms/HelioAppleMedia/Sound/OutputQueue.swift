package import HelioCore

/// A queue of buffers that a device plays in order: a shim over `AudioQueue`.
///
/// The queue owns the buffers, which are allocated and freed with it. All calls are made on its runner.
package protocol OutputQueue: AnyObject, Sendable {
    /// Calls `body` with the memory of a buffer that is not enqueued.
    func withBuffer(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void)
    /// Enqueues a buffer, to be played after those enqueued before.
    func enqueue(_ index: Int, bytes: Int) throws(HelioError)
    func start() throws(HelioError)
    /// Stops immediately, and frees the buffers. Callbacks that have already started still run.
    func dispose()
}
