/// A video decoder: one access unit in, one picture out.
package protocol VideoDecoding<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    var codec: VideoCodec { get }
    /// A description for people: 'FFmpeg H264, software'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// The size of the last unit's picture, if it was refused for its size.
    var refusedSize: PixelSize? { get }

    /// Decodes the beginning of an access unit, or what follows on it, while the rest is on its way.
    ///
    /// `decode` of the frame then gives the picture. Where that never comes, since the rest was lost, the next unit begins:
    /// it may refer to what was whole before. A decoder that takes whole units alone does nothing. Throws as `decode` does.
    func begin(_ part: ReceivedPart) throws(HelioError)

    /// Decodes one access unit. `nil` when it gave no picture (parameter sets alone).
    ///
    /// Throws when the unit can't be decoded: the caller asks for a keyframe and goes on.
    func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture?

    /// Forgets everything; the next unit is a keyframe.
    func reset()
}

extension VideoDecoding {
    package func begin(_ part: ReceivedPart) throws(HelioError) {}
}
