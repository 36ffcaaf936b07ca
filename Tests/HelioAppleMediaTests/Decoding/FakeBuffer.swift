import HelioAppleMedia
import HelioCore
import HelioLinuxSink

/// A buffer whose picture FFmpeg decoded.
final class FakeBuffer: PictureBuffer {
    let picture: DecodedPicture

    init(_ picture: DecodedPicture) { self.picture = picture }

    var size: PixelSize { picture.size }
    var samples: SampleFormat? {
        SampleFormat(chroma: picture.description.chroma, isFullRange: picture.description.color.isFullRange)
    }
    func meanLuma(everyRow step: Int) -> Double { picture.meanLuma(everyRow: step) }
}
