#if canImport(ScreenCaptureKit)
import CoreMedia
import CoreVideo
import HelioAppleMedia
import HelioCore
import ScreenCaptureKit

extension SCStreamConfiguration {
    /// Makes ScreenCaptureKit's configuration, with a queue of three frames, the minimum that it allows.
    ///
    /// - Parameter hears: true to capture the sound that the machine plays, except this process's own.
    convenience init(_ settings: StreamSettings, hears: Bool) {
        self.init()
        width = settings.size.width
        height = settings.size.height
        scalesToFit = true
        minimumFrameInterval = CMTime(value: 1, timescale: Int32(clamping: settings.framesPerSecond))
        pixelFormat =
            settings.color.isFullRange
            ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        showsCursor = settings.showsCursor
        queueDepth = 3
        capturesAudio = hears
        excludesCurrentProcessAudio = true
        sampleRate = SoundFormat.standard.sampleRate
        channelCount = SoundFormat.standard.channels
    }
}
#endif
