public import HelioCore
private import HelioLinuxSink

/// A window that shows what a ``PictureDecoder`` decodes, the newest picture at once; to be watched only.
///
/// Made and run on the program's main thread, which belongs to the window.
public final class PictureWindow {
    private let window: ViewerWindow
    private let decoder: PictureDecoder

    /// Opens the window. Throws `displayUnavailable` where that is not possible.
    public init(
        _ decoder: PictureDecoder, title: String, waitingText: String = "Waiting for the first picture",
        scale: Viewer.Scale = .fit, isFullScreen: Bool = false
    ) throws(HelioError) {
        var settings = ViewerOptions()
        settings.controls = false
        settings.isFullScreen = isFullScreen
        settings.waitingText = waitingText
        settings.scaleMode =
            switch scale {
            case .fit: .fit
            case .oneToOne: .actual
            case .integer: .integer
            }
        window = try ViewerWindow(title: title, options: settings)
        self.decoder = decoder
        let waker = window.waker
        decoder.listen { waker.wake() }
    }

    /// Runs until the person closes the window, or the decoder is closed. Throws `displayUnavailable`.
    public func run() throws(HelioError) {
        var refusedSeen = 0
        while !decoder.isClosed {
            for event in try window.wait(until: nil) {
                if case .closeRequested = event { return }
                if case .command(.quit) = event { return }
            }
            let pictures = decoder.takePictures().map(\.picture)
            guard let newest = pictures.last else { continue }
            // What the pictures that are not shown changed has to be drawn all the same.
            var damage: Region? = Region()
            for picture in pictures {
                guard let theirs = picture.damage else {
                    damage = nil
                    break
                }
                damage?.add(theirs)
            }
            let refused = decoder.refusedPictures
            if refused != refusedSeen {
                refusedSeen = refused
                damage = nil
            }
            try window.show(newest, damage: damage)
        }
    }
}
