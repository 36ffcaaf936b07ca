/// A video decoder that turns each access unit into a picture.
package protocol VideoDecoding<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    var codec: VideoCodec { get }
    /// A description for people: 'FFmpeg H264, software'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// The size of the last access unit's picture, if it was refused for its size.
    var refusedSize: PixelSize? { get }

    /// Decodes the beginning or a continuation of an access unit whose rest has not arrived yet.
    ///
    /// `decode` of the frame then returns the picture. If the rest is lost, the next unit begins without a call of
    /// `decode` for this one, and may refer to its complete parts. A decoder that needs whole units does nothing in
    /// `begin`. Throws as `decode` does.
    func begin(_ part: ReceivedPart) throws(HelioError)

    /// Decodes one access unit. Returns `nil` if the unit has no picture (only parameter sets).
    ///
    /// Throws if the unit can't be decoded; the caller then requests a keyframe and continues.
    func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture?

    /// Discards all state; the next unit is a keyframe.
    func reset()
}

extension VideoDecoding {
    package func begin(_ part: ReceivedPart) throws(HelioError) {}
}
