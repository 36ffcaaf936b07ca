/// The marks of a picture's macroblocks, one byte each: 0 or 1. Most marks are 1, so marks of 0 are searched eight
/// bytes at a time.
package struct BlockMarks {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    private let bytes: UnsafePointer<UInt8>
    private let count: Int

    /// - Parameter bytes: the marks, each 0 or 1; they must outlive this value.
    package init(_ bytes: UnsafePointer<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// The index of the first mark that is 0 from `start` on; `nil` if there is none.
    ///
    /// - Parameter end: the index before which the search ends; `nil` to search up to the last mark.
    package func firstZero(from start: Int, to end: Int? = nil) -> Int? {
        let end = end ?? count
        var index = start
        while index < end {
            if end - index >= 8, UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self) == Self.ones {
                index += 8
                continue
            }
            if bytes[index] == 0 { return index }
            index += 1
        }
        return nil
    }

    /// The index of the last mark in a range that is 0; `nil` if there is none.
    package func lastZero(in range: Range<Int>) -> Int? {
        var end = range.upperBound
        while end > range.lowerBound {
            if end - range.lowerBound >= 8,
                UnsafeRawPointer(bytes + end - 8).loadUnaligned(as: UInt64.self) == Self.ones
            {
                end -= 8
                continue
            }
            if bytes[end - 1] == 0 { return end - 1 }
            end -= 1
        }
        return nil
    }

    /// Calls `body` with the index of each mark that is 0.
    package func forEachZero(_ body: (Int) -> Void) {
        var index = 0
        while let found = firstZero(from: index) {
            body(found)
            index = found + 1
        }
    }
}
