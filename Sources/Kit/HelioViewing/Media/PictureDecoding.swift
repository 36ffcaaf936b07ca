internal import HelioCore

/// What a ``PictureDecoder`` does, on a platform of which it knows nothing.
protocol PictureDecoding: AnyObject, Sendable {
    func put(_ frame: ReceivedFrame) -> Bool
    /// What was thrown away, by name.
    var drops: [String: Int] { get }
    /// For people: what decodes. Empty before the first picture.
    var summary: String { get }
    /// Takes no more frames, and ends what shows them.
    func close()

    /// Opens a window for the pictures. Throws `displayUnavailable`.
    func openWindow(title: String, options: WindowOptions) throws(HelioError) -> any ViewerRunning
}
