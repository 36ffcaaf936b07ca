#if canImport(UIKit)
import CoreVideo
package import HelioAppleMedia
private import HelioAppleSound
package import HelioCore

/// The source's platform on iOS: this app's own screen from ReplayKit's recorder, or in a broadcast extension the
/// samples from its handler, and VideoToolbox's encoders. It does not support input. It is only type-checked; no test
/// runs it.
package struct AppleSource: SourcePlatform {
    package typealias Screen = StreamScreen<Stream>
    package typealias Stream = RecorderStream<ApplePictureTransfers, PixelBuffer>

    private let feeds: SampleFeeds
    private let recording: FedRecording<PixelBuffer>?
    private let tell: @Sendable (String) -> Void
    /// The platform for sound; screen capture provides the sound that the app plays.
    package let sound: (any SoundPlatform)?

    /// - Parameters:
    ///   - broadcast: the handler of the present broadcast extension, which provides pictures and sound; `nil` in an
    ///     app.
    ///   - tell: shows a message to the user; called on any thread.
    package init(broadcast: BroadcastHandler? = nil, tell: @escaping @Sendable (String) -> Void = { _ in }) {
        feeds = SampleFeeds()
        recording = broadcast.map { _ in FedRecording() }
        self.tell = tell
        sound = DeviceSound.apple(feeds: feeds)
        feeds.announce("This device", of: .system)
        broadcast?.recording = recording
        broadcast?.feeds = feeds
    }

    package func openScreen(display: String?, monitor: String?, framesPerSecond: Int) throws(HelioError) -> Screen {
        let recorder: any ScreenRecording<PixelBuffer> = recording ?? AppRecorder(feeds: feeds)
        let stream = Stream(
            recorder, shaper: PictureShaper(ApplePictureTransfers(), preset: nil), open: { $0.pixels },
            box: { PixelBuffer($0) }, tell: tell)
        return try StreamScreen(stream: stream, monitor: monitor, framesPerSecond: framesPerSecond, waiter: waiter)
    }

    package func openTestScreen(
        size: PixelSize, framesPerSecond: Int
    ) throws(HelioError) -> NumberedScreen<TestPicturePainter> {
        try NumberedScreen(
            size: size, framesPerSecond: framesPerSecond, painter: TestPicturePainter(), waiter: waiter)
    }

    /// Returns a source without a cursor: touches have none, and a pointer is part of the captured pictures.
    package func openCursor(on screen: Screen) throws(HelioError) -> NoCursor { NoCursor() }

    package func openInjector(display: String?) throws(HelioError) -> NoInjector { try .open() }

    package func monitors(display: String?) throws(HelioError) -> [ScreenMonitor] {
        [DisplayInfo.device(Stream.guess)].compactMap(\.monitor)
    }

    private var waiter: CaptureWaiter { CaptureWaiter() }
}
#endif
