package import HelioCore

/// The newest frame of a stream, until it is taken, with all damage since the frame that was taken before.
package struct FrameInbox<Buffer: Sendable>: Sendable {
    /// A frame to take.
    package struct Newest: Sendable {
        package var buffer: Buffer
        /// The damage since the frame that was taken before; within the frame, not yet aligned to macroblocks.
        package var damage: Region
        /// The instant at which the display showed the frame.
        package var shown: Instant
    }

    /// The number of frames of another size in a row after which the stream counts as ignoring its settings.
    package static var mostMisfits: Int { 60 }

    package private(set) var drops = DropCounter<FrameDrop>()
    /// The number of frames that came with a picture.
    package private(set) var arrived = 0
    /// The size that frames must have.
    package private(set) var size: PixelSize
    /// The number of frames of another size in a row.
    package private(set) var misfits = 0
    /// The instant at which the display showed the first of the frames that were not taken yet; `nil` if there are
    /// none.
    package private(set) var changedSince: Instant?
    private var newest: Newest?
    /// The frame that was taken last, to be taken again on request if there is no newer one.
    private var last: Newest?
    private var damage = Region()

    package init(size: PixelSize) { self.size = size }

    /// Adds a frame. Returns true if no other frame is waiting to be taken.
    package mutating func add(_ frame: StreamFrame<Buffer>, now: Instant) -> Bool {
        guard frame.status == .complete || frame.status == .started else { return false }
        guard let buffer = frame.buffer else {
            // The first frame after a start may have no picture.
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

    /// Takes the newest frame; `nil` if it was taken before.
    ///
    /// - Parameter everything: true to mark all of the frame as damaged, and to take the last frame again if there is
    ///   no newer one.
    package mutating func take(everything: Bool) -> Newest? {
        guard var taken = newest ?? (everything ? last : nil) else { return nil }
        if everything { taken.damage = Region(PixelRect(size)) }
        last = taken
        newest = nil
        changedSince = nil
        damage.removeAll()
        return taken
    }

    /// Discards all frames; from now on, frames must have this size.
    package mutating func reset(size: PixelSize) {
        self.size = size
        misfits = 0
        newest = nil
        last = nil
        changedSince = nil
        damage = Region(PixelRect(size))
    }

    /// The damage of a frame: all of the frame if the damage is not given, or invalid. It is better to encode too much
    /// of a new picture than to leave a part stale.
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
