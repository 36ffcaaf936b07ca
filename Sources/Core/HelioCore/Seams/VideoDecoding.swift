/// A video decoder: one access unit in, one picture out.
package protocol VideoDecoding<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    var codec: VideoCodec { get }
    /// For people: 'FFmpeg H264, software'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// The size of the picture that the last unit held, where it was refused for that.
    var refusedSize: PixelSize? { get }

    /// Decodes one access unit. `nil` when it gave no picture (parameter sets alone).
    ///
    /// Throws when the unit can't be decoded: the caller asks for a keyframe and goes on.
    func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture?

    /// Forgets everything; the next unit is a keyframe.
    func reset()
}
