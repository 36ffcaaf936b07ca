internal import HelioCore

/// One decoded picture of a ``PictureDecoder``.
public struct DecodedImage: Sendable {
    let picture: any DecodedImaging

    /// Pixels.
    public var width: Int { picture.size.width }
    /// Pixels.
    public var height: Int { picture.size.height }
    /// The mean of the brightness samples of every eighth row, as they are coded, 0 to 255.
    public var meanLuma: Double { picture.meanLuma(everyRow: 8) }
}
