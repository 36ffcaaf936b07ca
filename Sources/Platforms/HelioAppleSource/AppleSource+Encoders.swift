import CoreVideo
package import HelioAppleMedia
package import HelioCore
private import HelioGround

/// The part of the platform that macOS and iOS share: VideoToolbox's encoders. It is only type-checked; no test runs
/// it.
extension AppleSource {
    package typealias Encoder = HeldEncoder<AppleEncoder, PixelBuffer>

    /// BT.709: the system captures pixels in this colour, and they are encoded without conversion.
    package var color: ColorDescription { .bt709 }

    package func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoder {
        HeldEncoder(try AppleEncoder(format, choice: choice, now: { MonotonicClock.now })) { $0.pixels }
    }

    package func encoders() -> [EncoderDescription] { AppleEncoderCatalog.here().descriptions }

    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        try AppleEncoderCatalog.here().codec(ofEncoder: name)
    }

    package func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        AppleEncoderCatalog.here().codecs(preferring: first)
    }

    package func codesByHardware(_ codec: VideoCodec) -> Bool { AppleEncoderCatalog.here().codesByHardware(codec) }

    /// Returns `nil`: on Apple's systems the app shows the QR code as an image.
    package func terminalQRCode(_ text: String) -> String? { nil }
}
