internal import HelioCore

/// A ``PictureWindow``'s loop on one platform: shows the newest picture of a stream.
final class PictureLoop<Platform: SinkPlatform>: ViewerRunning {
    private let stream: PictureStream<Platform>
    private let window: Platform.Window

    init(_ stream: PictureStream<Platform>, _ window: Platform.Window) {
        self.stream = stream
        self.window = window
        stream.listen(window.waker)
        // A picture may have been decoded before the listener was set.
        window.waker()
    }

    /// The exchange of files: `nil`, because a stream of pictures has no host to exchange files with.
    var files: ViewerFiles? { nil }

    func run() throws(HelioError) {
        var refusedSeen = 0
        while !stream.isClosed {
            for event in try window.wait(until: nil) {
                if case .closeRequested = event { return }
            }
            let pictures = stream.takePictures().map(\.picture)
            guard let newest = pictures.last else { continue }
            // The damage of the skipped pictures has to be drawn as well.
            var damage: Region? = Region()
            for picture in pictures { damage.add(picture.damage) }
            let refused = stream.refusedPictures
            if refused != refusedSeen {
                refusedSeen = refused
                damage = nil
            }
            try window.show(newest, damage: damage)
        }
    }
}
