/// A decoder of sound. Bad payloads are thrown as `decoderFailed`, and harm nothing after them.
package protocol SoundDecoding: AnyObject {
    var codec: SoundCodec { get }
    /// What it gives.
    var format: SoundFormat { get }

    /// Decodes one packet's payload to interleaved samples.
    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float]
    /// Decodes what the payload after a lost packet tells of that packet, `frames` long; `nil` where it tells nothing.
    func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]?
    /// Makes up for a lost packet of so many frames; `nil` where the codec has no concealment of its own.
    func conceal(frames: Int) throws(HelioError) -> [Float]?
}
