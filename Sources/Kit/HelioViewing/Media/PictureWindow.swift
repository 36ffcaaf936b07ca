public import HelioCore

/// A window that shows the newest picture of a ``PictureDecoder``; it sends no input.
///
/// Create and run it on the program's main thread, which the window requires.
public final class PictureWindow {
    private let loop: any ViewerRunning
    /// The decoder, kept alive because its deinit closes the stream.
    private let decoder: PictureDecoder

    /// Opens the window. Throws `displayUnavailable` if that is not possible.
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

    /// Runs until the user closes the window, or the decoder is closed. Throws `displayUnavailable`.
    public func run() throws(HelioError) { try loop.run() }
}
