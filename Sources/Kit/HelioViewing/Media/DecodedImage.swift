internal import HelioCore

/// A picture that a ``PictureDecoder`` has decoded.
public struct DecodedImage: Sendable {
    let picture: any DecodedImaging

    /// The width in pixels.
    public var width: Int { picture.size.width }
    /// The height in pixels.
    public var height: Int { picture.size.height }
    /// The mean of the luma samples of every eighth row, in coded values, 0 to 255.
    public var meanLuma: Double { picture.meanLuma(everyRow: 8) }
}
