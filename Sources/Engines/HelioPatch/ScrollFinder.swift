import HelioCore

/// Finds the number of lines by which most of a picture's changed content has moved up or down, as by scrolling.
///
/// The search compares three narrow strips of the changed area. Each line of a strip whose content occurs once in the
/// previous picture votes for the motion from that position.
struct ScrollFinder {
    private static let stripWidth = 64
    /// The minimum number of votes, as fewer lines may agree by chance.
    private static let leastVotes = 12

    /// The largest motion in lines, up or down.
    let range: Int
    private var places: [UInt64: Int] = [:]
    private var votes: [Int] = []

    init(range: Int) { self.range = range }

    /// Finds the motion between the last coded picture, `shadow`, and `picture`.
    ///
    /// - Returns: the motion in lines: content now at line y was at line y + motion before; `nil` if no motion was
    ///   found.
    mutating func motion(of picture: MacroblockPicture, since shadow: SourceShadow) -> Int? {
        guard let box = Self.changedBox(picture), box.width >= Self.stripWidth, box.height >= 48 else { return nil }
        votes = [Int](repeating: 0, count: 2 * range + 1)
        let now = picture.planes[0]
        let before = shadow.planes[0]
        for quarter in 1...3 {
            let x = box.x + min((box.width * quarter / 4) & ~7, box.width - Self.stripWidth)
            places.removeAll(keepingCapacity: true)
            for y in box.y..<box.maxY {
                guard let hash = Self.hash(before, x, y) else { continue }
                // Exclude a line that occurs twice, as its motion is ambiguous.
                places[hash] = places[hash] == nil ? y : -1
            }
            for y in box.y..<box.maxY {
                guard let hash = Self.hash(now, x, y), let place = places[hash], place >= 0 else { continue }
                if abs(place - y) <= range { votes[place - y + range] += 1 }
            }
        }
        // Ignore the votes for no motion.
        votes[range] = 0
        guard let most = votes.max(), most >= Self.leastVotes, let at = votes.firstIndex(of: most) else { return nil }
        let motion = at - range
        // Refuse an odd motion of 4:2:0, which would need interpolated lines of chroma.
        return picture.chroma == .yuv420 && motion % 2 != 0 ? nil : motion
    }

    /// The bounds of the macroblocks that changed, in pixels; `nil` if none did.
    private static func changedBox(_ picture: MacroblockPicture) -> PixelRect? {
        let box = picture.changedBounds(in: PixelRect(picture.size))
        return box.isEmpty ? nil : box
    }

    /// The hash of a strip's line; `nil` if the line has only one colour.
    private static func hash(_ plane: SamplePlane, _ x: Int, _ y: Int) -> UInt64? {
        let line = UnsafeRawPointer(plane.bytes + y * plane.stride + x)
        let first = line.loadUnaligned(as: UInt64.self)
        var hash: UInt64 = 0
        // The initial value is nonzero if the first eight pixels are not all equal.
        var difference = first ^ UInt64(line.load(as: UInt8.self)) &* 0x0101_0101_0101_0101
        for i in 0..<stripWidth / 8 {
            let word = line.loadUnaligned(fromByteOffset: i * 8, as: UInt64.self)
            difference |= word ^ first
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return difference == 0 ? nil : hash
    }
}
