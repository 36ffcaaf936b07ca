import CYUV

/// An axis of a `PictureScaler`: for each pixel of the shorter line, the pixels of the longer line that contribute to
/// it, and their weights in 1/256.
final class ScaleAxis {
    let from: Int
    let to: Int
    private let first: UnsafeMutablePointer<UInt32>
    private let start: UnsafeMutablePointer<UInt32>
    private let weights: UnsafeMutablePointer<UInt16>

    /// - Parameter to: the shorter length, at least 1, at most `from`.
    init(from: Int, to: Int) {
        precondition(to >= 1 && to <= from)
        self.from = from
        self.to = to
        first = .allocate(capacity: to)
        start = .allocate(capacity: to + 1)
        // A pixel covers at least `from / to` whole pixels of the longer line, and a part of a pixel at each end.
        weights = .allocate(capacity: to * (from / to + 3))
        var count = 0
        for place in 0..<to {
            // `begin`, `given` and the bounds are in units of 1 / `to` of a source pixel.
            let begin = place * from
            var pixel = begin / to
            first[place] = UInt32(pixel)
            start[place] = UInt32(count)
            var given = 0
            while pixel * to < begin + from {
                let covered = min((pixel + 1) * to, begin + from) - begin
                let share = (covered * 256 + from / 2) / from
                weights[count] = UInt16(share - given)
                given = share
                count += 1
                pixel += 1
            }
        }
        start[to] = UInt32(count)
    }

    deinit {
        first.deallocate()
        start.deallocate()
        weights.deallocate()
    }

    var table: helio_scale_axis { helio_scale_axis(first: first, start: start, weights: weights) }

    /// Returns the pixels of the longer line that contribute to a range of the shorter line.
    func sources(of range: Range<Int>) -> Range<Int> {
        let last = range.upperBound - 1
        return Int(first[range.lowerBound])..<Int(first[last] + start[last + 1] - start[last])
    }

    /// Returns the pixels of the shorter line to which a range of the longer line contributes.
    func targets(of range: Range<Int>) -> Range<Int> {
        range.lowerBound * to / from..<min(to, (range.upperBound * to + from - 1) / from)
    }
}
