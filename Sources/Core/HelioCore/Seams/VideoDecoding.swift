/// A video decoder: one access unit in, one picture out.
package protocol VideoDecoding<Picture>: AnyObject {
    associatedtype Picture

    var codec: VideoCodec { get }
    /// For people: 'FFmpeg H264, software'.
    var summary: String { get }
    var isHardware: Bool { get }

    /// Decodes one access unit. `nil` when it gave no picture (parameter sets alone).
    ///
    /// Throws when the unit can't be decoded: the caller asks for a keyframe and goes on.
    func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture?

    /// Forgets everything; the next unit is a keyframe.
    func reset()
}

/// What a decoded picture tells whoever shows it, read from the stream and never assumed.
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
