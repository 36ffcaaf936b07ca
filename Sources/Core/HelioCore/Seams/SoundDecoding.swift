/// A decoder of sound. It throws `decoderFailed` for bad payloads, which do not affect later ones.
package protocol SoundDecoding: AnyObject {
    var codec: SoundCodec { get }
    /// The format of decoded samples.
    var format: SoundFormat { get }

    /// Decodes one packet's payload to interleaved samples.
    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float]
    /// Decodes the redundant copy of a lost packet, `frames` long, from the next packet's payload; `nil` if the next
    /// packet carries no copy.
    func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]?
    /// Conceals a lost packet of this many frames; `nil` if the codec has no concealment of its own.
    func conceal(frames: Int) throws(HelioError) -> [Float]?
}
