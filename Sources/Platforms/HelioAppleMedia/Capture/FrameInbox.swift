package import HelioCore

/// A one-slot mailbox for a stream's newest frame, with all damage since the previously taken frame.
package struct FrameInbox<Buffer: Sendable>: Sendable {
    /// A frame that was taken from the mailbox.
    package struct Newest: Sendable {
        package var buffer: Buffer
        /// The damage since the previously taken frame; within the frame, not yet aligned to macroblocks.
        package var damage: Region
        /// The time at which the display showed the frame.
        package var shown: Instant
    }

    /// The number of consecutive frames of a wrong size after which the stream is treated as ignoring its settings.
    package static var mostMisfits: Int { 60 }

    package private(set) var drops = DropCounter<FrameDrop>()
    /// The number of frames that had a picture of the right size.
    package private(set) var arrived = 0
    /// The size that frames must have.
    package private(set) var size: PixelSize
    /// The number of consecutive frames of a wrong size.
    package private(set) var misfits = 0
    /// The time at which the display showed the first frame since the last `take`; `nil` if there was none.
    package private(set) var changedSince: Instant?
    private var newest: Newest?
    /// The last frame that was taken, to be taken again on request if there is no newer one.
    private var last: Newest?
    private var damage = Region()

    package init(size: PixelSize) { self.size = size }

    /// Adds a frame. Returns true if it is the first one since the last `take`, so that the media thread must be woken.
    package mutating func add(_ frame: StreamFrame<Buffer>, now: Instant) -> Bool {
        guard frame.status == .complete || frame.status == .started else { return false }
        guard let buffer = frame.buffer else {
            // The first frame after a start may lack a picture; any other frame without one is counted as dropped.
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

    /// Counts a frame that arrived from a stopped stream.
    package mutating func dropAfterStop() { drops.count(.afterStop) }

    /// Takes the newest frame; `nil` if there is none since the last call.
    ///
    /// - Parameter everything: true to mark the whole frame as damaged, and to take the last frame again if there is no
    ///   newer one.
    package mutating func take(everything: Bool) -> Newest? {
        guard var taken = newest ?? (everything ? last : nil) else { return nil }
        if everything { taken.damage = Region(PixelRect(size)) }
        last = taken
        newest = nil
        changedSince = nil
        damage.removeAll()
        return taken
    }

    /// Discards all frames. Later frames must have the given size.
    package mutating func reset(size: PixelSize) {
        self.size = size
        misfits = 0
        newest = nil
        last = nil
        changedSince = nil
        damage = Region(PixelRect(size))
    }

    /// Returns the damage of a frame: the whole frame if its damage is missing, empty or invalid. Encoding too much of
    /// a new picture is better than leaving a part stale.
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
