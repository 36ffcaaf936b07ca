import HelioCore

/// A picture as it was when it was last coded, in the encoder's format: what a scrolled one is compared with.
///
/// Only what changes is copied. Belongs to the media thread.
final class SourceShadow {
    /// Lines of one kind of samples, 16 bytes a macroblock wide.
    struct Plane {
        let bytes: UnsafeMutablePointer<UInt8>
        let stride: Int
        /// Lines a macroblock.
        let lines: Int
    }

    private let mbWidth: Int
    private let mbHeight: Int
    private let storage: UnsafeMutablePointer<UInt8>
    /// Luma first.
    let planes: [Plane]

    init(like picture: PlanarPicture) {
        mbWidth = picture.mbWidth
        mbHeight = picture.mbHeight
        let stride = mbWidth * 16
        let lines = picture.planes.map(\.lines)
        let blockRow = stride * mbHeight
        storage = .allocate(capacity: blockRow * lines.reduce(0, +))
        storage.initialize(repeating: 0, count: blockRow * lines.reduce(0, +))
        var planes: [Plane] = []
        var at = storage
        for count in lines {
            planes.append(Plane(bytes: at, stride: stride, lines: count))
            at += blockRow * count
        }
        self.planes = planes
    }

    deinit { storage.deallocate() }

    /// Takes what of `picture` has changed since it was last coded.
    ///
    /// - Parameter isCurrent: this is the picture that was coded last. Otherwise all of it is taken.
    func follow(_ picture: PlanarPicture, isCurrent: Bool) {
        for y in 0..<mbHeight {
            guard let (first, last) = isCurrent ? picture.changedColumns(ofRow: y) : (0, mbWidth - 1) else { continue }
            for (to, from) in zip(planes, picture.planes) {
                for line in y * to.lines..<(y + 1) * to.lines {
                    (to.bytes + line * to.stride + first * 16).update(
                        from: from.bytes + line * from.stride + first * 16, count: (last - first + 1) * 16)
                }
            }
        }
    }
}

extension PlanarPicture {
    /// The first and the last macroblock of a row that has changed.
    func changedColumns(ofRow y: Int) -> (first: Int, last: Int)? {
        let row = unchanged + y * mbWidth
        guard let first = (0..<mbWidth).first(where: { row[$0] == 0 }),
            let last = (first..<mbWidth).last(where: { row[$0] == 0 })
        else { return nil }
        return (first, last)
    }

    /// Luma first; of 4:2:0 there are two.
    var planes: [SourceShadow.Plane] {
        let first = SourceShadow.Plane(bytes: luma, stride: lumaStride, lines: 16)
        if chroma == .yuv420 { return [first, .init(bytes: chroma0, stride: chromaStride, lines: 8)] }
        return [first] + [chroma0, chroma1].map { .init(bytes: $0, stride: chromaStride, lines: 16) }
    }
}
