/// A video decoder that turns each access unit into a picture.
package protocol VideoDecoding<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    var codec: VideoCodec { get }
    /// A human-readable description: 'FFmpeg H264, software'.
    var summary: String { get }
    var isHardware: Bool { get }
    /// The picture size of the last access unit if the picture was refused as too large; otherwise `nil`.
    var refusedSize: PixelSize? { get }

    /// Decodes the beginning or a continuation of an access unit whose rest has not arrived yet.
    ///
    /// `decode` of the whole frame then returns the picture. If the rest is lost, `decode` is not called for this
    /// access unit, but the next access unit may reference the parts that were decoded. A decoder that needs whole
    /// access units does nothing in `begin`. Throws as `decode` does.
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

/// A decoded picture on its way from the decoder to the window that shows it. Its samples stay in the decoder's memory.
package protocol DecodedImaging: Sendable {
    var size: PixelSize { get }
    /// The size, chroma and colour as signalled in the stream.
    var description: PictureDescription { get }
    /// The region that may differ from the previously decoded picture; `nil` for the whole picture.
    var damage: Region? { get }

    /// The mean luma of every `step`th row, in coded sample values.
    func meanLuma(everyRow step: Int) -> Double
}

/// The size, chroma and colour of a decoded picture, always read from the stream.
package struct PictureDescription: Sendable, Hashable {
    package var size: PixelSize
    package var chroma: ChromaSampling
    package var color: ColorDescription

    package init(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) {
        self.size = size
        self.chroma = chroma
        self.color = color
    }
}
