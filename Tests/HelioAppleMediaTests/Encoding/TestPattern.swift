#if canImport(HelioLinuxSource)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore

/// A Y'CbCr picture with a patch of known colour in each corner and a smooth ground between them: its orientation can
/// be recognised.
struct TestPattern {
    /// Y', Cb and Cr of limited range.
    struct Sample: Hashable {
        var y: UInt8
        var cb: UInt8
        var cr: UInt8
    }

    /// The patches' samples, clockwise from the top left corner: red, green, blue and white of BT.709.
    static let corners = [
        Sample(y: 63, cb: 102, cr: 240), Sample(y: 173, cb: 42, cr: 26), Sample(y: 32, cb: 240, cr: 118),
        Sample(y: 235, cb: 128, cr: 128),
    ]

    /// The side of a patch, in pixels.
    static let side = 64

    /// Fills a picture with the sample that `sample` returns for each pixel.
    static func fill(_ picture: FakePixels, with sample: (_ x: Int, _ y: Int) -> Sample) {
        for y in 0..<picture.size.height {
            let row = picture.first + y * picture.firstStride
            for x in 0..<picture.size.width { row[x] = sample(x, y).y }
        }
        for y in 0..<picture.size.height / 2 {
            let row = picture.chroma + y * picture.chromaStride
            for x in 0..<picture.size.width / 2 {
                let sample = sample(x * 2, y * 2)
                (row[x * 2], row[x * 2 + 1]) = (sample.cb, sample.cr)
            }
        }
    }

    /// Returns the sample of the upright pattern at a position.
    static func sample(_ x: Int, _ y: Int, of size: PixelSize) -> Sample {
        let (left, right) = (x < side, x >= size.width - side)
        let (top, bottom) = (y < side, y >= size.height - side)
        if top, left { return corners[0] }
        if top, right { return corners[1] }
        if bottom, right { return corners[2] }
        if bottom, left { return corners[3] }
        return Sample(y: UInt8(64 + (x / 8 + y / 4) % 128), cb: 128, cr: 128)
    }
}
#endif
