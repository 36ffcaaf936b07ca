public import CoreMedia
import CoreVideo
public import HelioAppleMedia
import HelioAppleSound
public import HelioCore
import HelioGround

/// Encodes a broadcast extension's pictures by VideoToolbox, and converts its sound to samples. It is only
/// type-checked; no test runs it.
public final class BroadcastCoder: BroadcastCoding {
    /// A handler of the sound of the apps or the microphone, as interleaved stereo floats at 48 kHz.
    public typealias TakeSound = @Sendable (_ samples: [Float], _ isMicrophone: Bool, _ captured: Duration) -> Void

    private let pictures: ExtensionPipeline<AppleCompressionSessions, ApplePictureTransfers>
    private let sound = BroadcastSound { MonotonicClock.now }
    private let takeSound: TakeSound

    /// - Parameters:
    ///   - picture: called with each encoded picture and its size.
    ///   - sound: called with each block of sound.
    public init(
        picture: @escaping @Sendable (EncodedFrame, PixelSize) -> Void, sound: @escaping TakeSound
    ) {
        pictures = ExtensionPipeline(
            sessions: AppleCompressionSessions(), transfers: ApplePictureTransfers(), now: { MonotonicClock.now },
            emit: picture)
        takeSound = sound
    }

    /// Handles a sample synchronously, as the system soon reuses its memory.
    ///
    /// - Parameter turn: the rotation that makes a picture upright.
    public func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {
        switch kind {
        case .video: takePicture(sample, turn)
        case .appAudio: take(sample, of: .system)
        case .microphone: take(sample, of: .microphone)
        }
    }

    /// Requests that the next picture be a keyframe.
    public func requestKeyframe() { pictures.requestKeyframe() }
    /// Limits the bitrate, in bits per second, and the picture's size; `nil` sets no limit. For a screen in the other
    /// orientation, width and height of `largest` are exchanged.
    public func keep(to bitrate: Int?, largest: PixelSize?) { pictures.keep(to: bitrate, largest: largest) }
    /// Reduces memory use by smaller pictures at a lower bitrate; has an effect twice (see `BroadcastCoding`).
    public func lessen() { pictures.lessen() }

    private func takePicture(_ sample: CMSampleBuffer, _ turn: PictureTurn) {
        guard let pixels = CMSampleBufferGetImageBuffer(sample),
            let captured = Instant(seconds: CMSampleBufferGetPresentationTimeStamp(sample).seconds)
        else { return }
        pictures.take(pixels, turn: PictureRotation(degrees: turn.rawValue) ?? .none, captured: captured)
    }

    private func take(_ sample: CMSampleBuffer, of origin: SoundOrigin) {
        sound.feeds.take(sample, of: origin)
        for block in sound.drain(origin) {
            takeSound(block.samples, origin == .microphone, block.captured - .zero)
        }
    }
}
