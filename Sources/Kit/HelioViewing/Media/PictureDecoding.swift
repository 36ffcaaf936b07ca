internal import HelioCore

/// The implementation of a ``PictureDecoder``, with its platform's types hidden.
protocol PictureDecoding: AnyObject, DropCounting, Sendable {
    func put(_ frame: ReceivedFrame) -> Bool
    /// The decoder's human-readable name. Empty before the first picture.
    var summary: String { get }
    /// Ignores further frames, and closes the window that shows the pictures.
    func close()

    /// Opens a window for the pictures. Throws `displayUnavailable`.
    func openWindow(title: String, options: WindowOptions) throws(HelioError) -> any ViewerRunning
}
