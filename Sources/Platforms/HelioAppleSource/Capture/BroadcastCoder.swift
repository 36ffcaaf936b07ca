public import CoreMedia
import CoreVideo
public import HelioAppleMedia
import HelioAppleSound
public import HelioCore

/// Codes the samples of a broadcast extension: pictures by VideoToolbox, sound as samples. Type-checked, not run.
public final class BroadcastCoder: BroadcastCoding {
    /// Takes the sound of the apps or of the microphone: interleaved floats of two channels, 48,000 of each a second.
    public typealias TakeSound = @Sendable (_ samples: [Float], _ isMicrophone: Bool, _ captured: Duration) -> Void

    private let pictures: ExtensionPipeline<AppleCompressionSessions, ApplePictureTransfers>
    private let sound = BroadcastSound { HostClock.now }
    private let takeSound: TakeSound

    /// - Parameters:
    ///   - picture: takes each coded picture, with its size.
    ///   - sound: takes what sound has come.
    public init(
        picture: @escaping @Sendable (EncodedFrame, PixelSize) -> Void, sound: @escaping TakeSound
    ) {
        pictures = ExtensionPipeline(
            sessions: AppleCompressionSessions(), transfers: ApplePictureTransfers(), now: { HostClock.now },
            emit: picture)
        takeSound = sound
    }

    /// Codes a sample, before this returns: the system wants it back soon.
    ///
    /// - Parameter turn: what sets a picture upright.
    public func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {
        switch kind {
        case .video: takePicture(sample, turn)
        case .appAudio: take(sample, of: .system)
        case .microphone: take(sample, of: .microphone)
        }
    }

    /// The next picture is to be a keyframe.
    public func requestKeyframe() { pictures.requestKeyframe() }
    /// Keeps to no more bits a second, and to no larger a picture.
    public func keep(to bitrate: Int?, largest: PixelSize?) { pictures.keep(to: bitrate, largest: largest) }
    /// Takes less memory from now on.
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
