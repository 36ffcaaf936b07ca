#if canImport(ScreenCaptureKit)
package import HelioAppleMedia
package import HelioCore

/// The place of the encoders in `AppleSource`: the catalogue and the factory of those of VideoToolbox.
package protocol AppleEncoders: Sendable {
    associatedtype Encoder: VideoEncoding where Encoder.Picture == HeldPicture<PixelBuffer>

    func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoder
    func encoders() -> [EncoderDescription]
    func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec
    func codecs(preferring first: VideoCodec) -> [VideoCodec]
    func codesByHardware(_ codec: VideoCodec) -> Bool
}
#endif
