public import HelioCore

/// A window that shows the pictures of a ``PictureDecoder``, the newest at once; it takes no input for the stream.
///
/// Create and run it on the program's main thread, which belongs to the window.
public final class PictureWindow {
    private let loop: any ViewerRunning
    /// The decoder, which closes its stream when nothing refers to it any more.
    private let decoder: PictureDecoder

    /// Opens the window. Throws `displayUnavailable` where that is not possible.
    public init(
        _ decoder: PictureDecoder, title: String, waitingText: String = "Waiting for the first picture",
        scale: Viewer.Scale = .fit, isFullScreen: Bool = false
    ) throws(HelioError) {
        self.decoder = decoder
        var settings = WindowOptions()
        settings.controls = false
        settings.isFullScreen = isFullScreen
        settings.waitingText = waitingText
        settings.scaleMode = scale.mode
        loop = try decoder.stream.openWindow(title: title, options: settings)
    }

    /// Runs until the person closes the window, or the decoder is closed. Throws `displayUnavailable`.
    public func run() throws(HelioError) { try loop.run() }
}
