public import HelioCore

/// A window that shows what a ``PictureDecoder`` decodes, the newest picture at once; to be watched only.
///
/// Made and run on the program's main thread, which belongs to the window.
public final class PictureWindow {
    private let loop: any ViewerRunning
    /// Closes its stream when nobody has it any more.
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
