/// A size in whole pixels. Points (a window's logical units) are never mixed with pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Makes a size in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var area: Int { width * height }
    /// The size as text, like `1280x720`.
    public var description: String { "\(width)x\(height)" }

    /// This size with odd sides extended by a pixel, as 4:2:0 requires.
    package var even: PixelSize { PixelSize(width: (width + 1) & ~1, height: (height + 1) & ~1) }

    /// This size in the orientation of another one: a limit for portrait pictures is one for landscape pictures, too.
    package func turned(as other: PixelSize) -> PixelSize {
        (width > height) == (other.width > other.height) ? self : PixelSize(width: height, height: width)
    }

    /// A note for the user that encoders can't encode the screen's full size; `nil` if `screen` is within
    /// `largestCoded`.
    package func note(scaledFrom screen: PixelSize) -> String? {
        let limit = Self.largestCoded
        if screen.width <= limit.width, screen.height <= limit.height { return nil }
        return
            "the screen of \(screen) is shared as pictures of \(self): no encoder takes a side of more than \(limit.width)"
            + " pixels"
    }

    /// The largest coded picture: H.264's levels end a little above it (ITU-T H.264, table A-1).
    package static let largestCoded = PixelSize(width: 16384, height: 16384)

    /// The largest size of the same aspect ratio within `limit`, even in both directions and at least 16; this size
    /// itself if it is within `limit`, or if there is no limit.
    package func fitted(within limit: PixelSize?) -> PixelSize {
        guard let limit, width > limit.width || height > limit.height else { return self }
        func even(_ side: Int, atMost most: Int) -> Int { max(16, min((side + 1) & ~1, most & ~1)) }
        // The width is the constraint if limit.width / width is the smaller ratio.
        if limit.width * height <= limit.height * width {
            return PixelSize(
                width: even(limit.width, atMost: limit.width),
                height: even(height * limit.width / width, atMost: limit.height))
        }
        return PixelSize(
            width: even(width * limit.height / height, atMost: limit.width),
            height: even(limit.height, atMost: limit.height))
    }
}

/// A rectangle of whole pixels, with the origin at the top left; `maxX` and `maxY` are exclusive bounds.
package struct PixelRect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var maxX: Int { x + width }
    package var maxY: Int { y + height }
    package var size: PixelSize { PixelSize(width: width, height: height) }
    package var area: Int { width * height }
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    package func union(_ o: PixelRect) -> PixelRect {
        if isEmpty { return o }
        if o.isEmpty { return self }
        let x0 = min(x, o.x)
        let y0 = min(y, o.y)
        return PixelRect(x: x0, y: y0, width: max(maxX, o.maxX) - x0, height: max(maxY, o.maxY) - y0)
    }

    package func intersection(_ o: PixelRect) -> PixelRect {
        let x0 = max(x, o.x)
        let y0 = max(y, o.y)
        return PixelRect(x: x0, y: y0, width: max(0, min(maxX, o.maxX) - x0), height: max(0, min(maxY, o.maxY) - y0))
    }

    package func contains(_ o: PixelRect) -> Bool {
        o.x >= x && o.y >= y && o.maxX <= maxX && o.maxY <= maxY
    }

    package func moved(x dx: Int = 0, y dy: Int = 0) -> PixelRect {
        PixelRect(x: x + dx, y: y + dy, width: width, height: height)
    }

    /// The part outside another rectangle: at most four rectangles that do not overlap.
    package func subtracting(_ other: PixelRect) -> [PixelRect] {
        let inner = intersection(other)
        if inner.isEmpty { return isEmpty ? [] : [self] }
        return [
            PixelRect(x: x, y: y, width: width, height: inner.y - y),
            PixelRect(x: x, y: inner.maxY, width: width, height: maxY - inner.maxY),
            PixelRect(x: x, y: inner.y, width: inner.x - x, height: inner.height),
            PixelRect(x: inner.maxX, y: inner.y, width: maxX - inner.maxX, height: inner.height),
        ].filter { !$0.isEmpty }
    }

    /// The smallest rectangle on a grid of `step` pixels that covers this one (16 = macroblocks); an empty rectangle
    /// stays unchanged.
    package func aligned(to step: Int) -> PixelRect {
        if isEmpty { return self }
        func floor(_ n: Int) -> Int { n - (n % step + step) % step }
        let x0 = floor(x)
        let y0 = floor(y)
        return PixelRect(
            x: x0, y: y0, width: floor(maxX + step - 1) - x0, height: floor(maxY + step - 1) - y0)
    }
}

/// The part of a screen that changed: a few rectangles that may overlap, never more than `limit` of them.
///
/// Beyond the limit, the two rectangles whose union adds the least area are merged, so that many tiny changes cost
/// bounded work; at worst, some unchanged pixels are encoded.
package struct Region: Hashable, Sendable {
    package static let limit = 8
    package private(set) var rects: [PixelRect] = []

    package init() {}
    package init(_ rect: PixelRect) { add(rect) }

    package var isEmpty: Bool { rects.isEmpty }
    package var bounds: PixelRect {
        rects.reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) { $0.union($1) }
    }

    /// The sum of the rectangles' areas in pixels; overlaps count more than once.
    package var area: Int { rects.reduce(0) { $0 + $1.area } }

    package mutating func removeAll() { rects.removeAll(keepingCapacity: true) }

    package mutating func add(_ rect: PixelRect) {
        if rect.isEmpty || rects.contains(where: { $0.contains(rect) }) { return }
        rects.removeAll { rect.contains($0) }
        // Two rectangles whose union adds no pixels, such as rows of a window, are joined.
        for i in rects.indices {
            let joined = rects[i].union(rect)
            if joined.area <= rects[i].area + rect.area - rects[i].intersection(rect).area {
                rects.remove(at: i)
                return add(joined)
            }
        }
        rects.append(rect)
        if rects.count > Self.limit { mergeCheapestPair() }
    }

    package mutating func add(_ other: Region) {
        for rect in other.rects { add(rect) }
    }

    /// The region clipped to `bounds`, after each rectangle was extended to a grid of `step` pixels.
    package func aligned(to step: Int, within bounds: PixelRect) -> Region {
        var result = Region()
        for rect in rects { result.add(rect.intersection(bounds).aligned(to: step).intersection(bounds)) }
        return result
    }

    private mutating func mergeCheapestPair() {
        var best = (i: 0, j: 1, waste: Int.max)
        for i in rects.indices {
            for j in rects.indices where j > i {
                let waste = rects[i].union(rects[j]).area - rects[i].area - rects[j].area
                if waste < best.waste { best = (i, j, waste) }
            }
        }
        let joined = rects[best.i].union(rects[best.j])
        rects.remove(at: best.j)
        rects.remove(at: best.i)
        add(joined)
    }
}
