import HelioCore

/// A copy of the last coded picture, in the encoder's format, with which the next picture is compared to detect
/// scrolling.
///
/// A current copy is updated by the changed macroblocks only. The type is not thread-safe: the media thread uses it.
final class SourceShadow {
    private let mbWidth: Int
    private let mbHeight: Int
    private let storage: UnsafeMutablePointer<UInt8>
    /// The planes, luma first.
    let planes: [SamplePlane]

    init(like picture: MacroblockPicture) {
        mbWidth = picture.mbWidth
        mbHeight = picture.mbHeight
        let stride = mbWidth * 16
        let lines = picture.planes.map(\.lines)
        let blockRow = stride * mbHeight
        storage = .allocate(capacity: blockRow * lines.reduce(0, +))
        storage.initialize(repeating: 0, count: blockRow * lines.reduce(0, +))
        var planes: [SamplePlane] = []
        var at = storage
        for count in lines {
            planes.append(SamplePlane(bytes: at, stride: stride, lines: count))
            at += blockRow * count
        }
        self.planes = planes
    }

    deinit { storage.deallocate() }

    /// Copies the macroblocks of `picture` that have changed since it was last coded.
    ///
    /// - Parameter isCurrent: true if this is a copy of the last coded picture; false to copy everything.
    func follow(_ picture: MacroblockPicture, isCurrent: Bool) {
        let sources = picture.planes
        for y in 0..<mbHeight {
            guard let (first, last) = isCurrent ? picture.changedColumns(ofRow: y) : (0, mbWidth - 1) else { continue }
            for (to, from) in zip(planes, sources) {
                for line in y * to.lines..<(y + 1) * to.lines {
                    (to.bytes + line * to.stride + first * 16).update(
                        from: from.bytes + line * from.stride + first * 16, count: (last - first + 1) * 16)
                }
            }
        }
    }
}
