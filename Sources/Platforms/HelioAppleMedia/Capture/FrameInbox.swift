package import HelioCore

/// The newest frame of a stream that nobody has taken yet, with all that changed since the one that was taken.
package struct FrameInbox<Buffer: Sendable>: Sendable {
    /// A frame to take.
    package struct Newest: Sendable {
        package var buffer: Buffer
        /// What changed since the frame that was taken before; within the frame, not yet on the grid of macroblocks.
        package var damage: Region
        /// The instant at which the display showed it.
        package var shown: Instant
    }

    /// The frames of another size in a row after which a stream doesn't do what is asked of it.
    package static var mostMisfits: Int { 60 }

    package private(set) var drops = DropCounter<FrameDrop>()
    /// The number of frames that came with a picture.
    package private(set) var arrived = 0
    /// The size that frames have to have.
    package private(set) var size: PixelSize
    /// The number of frames of another size in a row.
    package private(set) var misfits = 0
    /// When the first change was known that nobody has taken; `nil`: there is none.
    package private(set) var changedSince: Instant?
    private var newest: Newest?
    /// The frame that was taken last: for who wants everything while nothing changes.
    private var last: Newest?
    private var damage = Region()

    package init(size: PixelSize) { self.size = size }

    /// Takes a frame in. Returns true if it is the first that waits to be taken.
    package mutating func add(_ frame: StreamFrame<Buffer>, now: Instant) -> Bool {
        guard frame.status == .complete || frame.status == .started else { return false }
        guard let buffer = frame.buffer else {
            // The first one after a start may be without.
            if frame.status == .complete { drops.count(.withoutPicture) }
            return false
        }
        guard frame.size == size else {
            drops.count(.otherSize)
            misfits += 1
            return false
        }
        arrived += 1
        misfits = 0
        if newest != nil { drops.count(.replaced) }
        damage.add(Self.region(of: frame))
        let shown = now - min(.seconds(1), max(.zero, frame.age))
        newest = Newest(buffer: buffer, damage: damage, shown: shown)
        guard changedSince == nil else { return false }
        changedSince = shown
        return true
    }

    /// Counts a frame of a stream that had been stopped.
    package mutating func dropAfterStop() { drops.count(.afterStop) }

    /// Takes the newest frame; `nil`: there is none that wasn't taken.
    ///
    /// - Parameter everything: take the last one once more, with all of it as changed, if there is none.
    package mutating func take(everything: Bool) -> Newest? {
        guard var taken = newest ?? (everything ? last : nil) else { return nil }
        if everything { taken.damage = Region(PixelRect(size)) }
        last = taken
        newest = nil
        changedSince = nil
        damage.removeAll()
        return taken
    }

    /// Forgets all frames: those of this size count from now on.
    package mutating func reset(size: PixelSize) {
        self.size = size
        misfits = 0
        newest = nil
        last = nil
        changedSince = nil
        damage = Region(PixelRect(size))
    }

    /// What changed in a frame: all of it where that isn't told, or where what is told makes no sense. A picture is new
    /// where it says so: better code too much of it than leave a part stale.
    static func region(of frame: StreamFrame<Buffer>) -> Region {
        let whole = PixelRect(frame.size)
        guard let dirty = frame.dirty else { return Region(whole) }
        var region = Region()
        for rect in dirty {
            guard let pixels = rect.pixels(within: whole) else { return Region(whole) }
            region.add(pixels)
        }
        return region.isEmpty ? Region(whole) : region
    }
}
