import HelioCore

/// Finds by how many lines most of a picture's changed content has moved, up or down, as by scrolling.
///
/// It compares three narrow strips of the changed area. Each line of a strip that is unique has one position in the
/// picture before, and votes for the motion from there.
struct ScrollFinder {
    private static let stripWidth = 64
    /// The least number of votes: fewer lines may agree by chance.
    private static let leastVotes = 12

    /// The largest motion in lines, up or down.
    let range: Int
    private var places: [UInt64: Int] = [:]
    private var votes: [Int] = []

    init(range: Int) { self.range = range }

    /// Finds the motion.
    ///
    /// - Returns: the motion: content at line y was at line y plus this before; `nil` if no motion was found.
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
                // A line that occurs twice is ambiguous.
                places[hash] = places[hash] == nil ? y : -1
            }
            for y in box.y..<box.maxY {
                guard let hash = Self.hash(now, x, y), let place = places[hash], place >= 0 else { continue }
                if abs(place - y) <= range { votes[place - y + range] += 1 }
            }
        }
        // Lines at their old position show no motion.
        votes[range] = 0
        guard let most = votes.max(), most >= Self.leastVotes, let at = votes.firstIndex(of: most) else { return nil }
        let motion = at - range
        // An odd motion would need interpolated lines of 4:2:0 chroma.
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
        // Not 0 if the first eight pixels are not all equal.
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
