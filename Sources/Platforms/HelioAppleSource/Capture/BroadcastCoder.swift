public import CoreMedia
import CoreVideo
public import HelioAppleMedia
import HelioAppleSound
public import HelioCore
import HelioGround

/// Encodes a broadcast extension's pictures by VideoToolbox, and passes its sound on as samples. Type-checked, not run.
public final class BroadcastCoder: BroadcastCoding {
    /// Takes the sound of the apps or of the microphone: interleaved floats of two channels at 48 kHz.
    public typealias TakeSound = @Sendable (_ samples: [Float], _ isMicrophone: Bool, _ captured: Duration) -> Void

    private let pictures: ExtensionPipeline<AppleCompressionSessions, ApplePictureTransfers>
    private let sound = BroadcastSound { MonotonicClock.now }
    private let takeSound: TakeSound

    /// - Parameters:
    ///   - picture: takes each encoded picture, with its size.
    ///   - sound: takes each block of sound.
    public init(
        picture: @escaping @Sendable (EncodedFrame, PixelSize) -> Void, sound: @escaping TakeSound
    ) {
        pictures = ExtensionPipeline(
            sessions: AppleCompressionSessions(), transfers: ApplePictureTransfers(), now: { MonotonicClock.now },
            emit: picture)
        takeSound = sound
    }

    /// Encodes a sample before it returns, as the system needs the sample back soon.
    ///
    /// - Parameter turn: the turn that sets a picture upright.
    public func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {
        switch kind {
        case .video: takePicture(sample, turn)
        case .appAudio: take(sample, of: .system)
        case .microphone: take(sample, of: .microphone)
        }
    }

    /// Requests that the next picture be a keyframe.
    public func requestKeyframe() { pictures.requestKeyframe() }
    /// Limits the bits per second, and the picture's size in either orientation; `nil` sets no limit.
    public func keep(to bitrate: Int?, largest: PixelSize?) { pictures.keep(to: bitrate, largest: largest) }
    /// Reduces the use of memory by smaller pictures at a lower bitrate, in two steps at most; see `BroadcastCoding`.
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
