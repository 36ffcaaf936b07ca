#if canImport(ScreenCaptureKit)
import CoreGraphics
import CoreMedia
import CoreVideo
import HelioAppleMedia
import HelioCore
import ScreenCaptureKit

extension SCStreamConfiguration {
    /// The surfaces of a stream. The newest frame and the last one taken stay in `FrameInbox`, the encoder holds one
    /// while it works, and ScreenCaptureKit draws into another: with fewer it has none left, and frames are missing.
    private static let surfaces = 5

    /// Makes ScreenCaptureKit's configuration. Without a colour space the pixels would be those of the display, P3 on
    /// many Macs, which the stream's BT.709 would show dull.
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
        colorSpaceName = CGColorSpace.sRGB
        colorMatrix = (CompressionColor.Matrix(rawValue: settings.color.matrix) ?? .bt709).name
        showsCursor = settings.showsCursor
        queueDepth = Self.surfaces
        capturesAudio = hears
        excludesCurrentProcessAudio = true
        sampleRate = SoundFormat.standard.sampleRate
        channelCount = SoundFormat.standard.channels
    }
}
#endif
