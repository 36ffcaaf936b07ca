#if canImport(HelioLinuxSink)
import HelioAppleMedia
import HelioCore
package import HelioLinuxSink

extension FakePixels {
    /// Copies a picture that FFmpeg has decoded into VideoToolbox's layout; `nil` for a picture without planes.
    package convenience init?(_ picture: DecodedPicture) {
        let (description, isPaired) = (picture.description, picture.hasPairedChroma)
        guard let luma = picture.plane(0), let cb = picture.plane(1), let cr = isPaired ? cb : picture.plane(2) else {
            return nil
        }
        let samples = SampleFormat(chroma: description.chroma, isFullRange: description.color.isFullRange)
        self.init(description.size, .planes(samples))
        for y in 0..<size.height {
            (first + y * firstStride).update(from: luma + y * picture.stride(0), count: size.width)
        }
        let chromaSize = samples.chromaSize(of: size)
        for y in 0..<chromaSize.height {
            let row = chroma + y * chromaStride
            let from = cb + y * picture.stride(1)
            if isPaired {
                row.update(from: from, count: chromaSize.width * 2)
                continue
            }
            let other = cr + y * picture.stride(2)
            for x in 0..<chromaSize.width { (row[2 * x], row[2 * x + 1]) = (from[x], other[x]) }
        }
    }
}
#endif
