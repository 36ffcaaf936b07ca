package import HelioCore

/// Assembles an encoder's slices into pictures, for all destinations of a broadcast.
///
/// A picture of which a slice is missing is dropped and counted. All following pictures up to the next keyframe are
/// dropped, too, as their references are missing.
package struct BroadcastFeed: Sendable {
    /// The maximum size of a picture in bytes.
    package static let maximumPicture = 8 << 20 - 4096

    private struct Open: Sendable {
        var index: UInt64
        var picture: BroadcastPicture
    }

    private let encoding: EncodingID
    private var open: Open?
    /// The index of the last complete frame, which the next frame has to follow; `nil` if the next frame has to be a
    /// keyframe.
    private var last: UInt64?

    package private(set) var drops = DropCounter<BroadcastDrop>()

    /// - Parameter encoding: the encoding to broadcast; slices of other encodings are ignored.
    package init(_ encoding: EncodingID) { self.encoding = encoding }

    /// True while pictures are dropped until a keyframe arrives.
    package var wantsKeyframe: Bool { last == nil && open == nil }

    /// Adds a slice. Returns the picture that the slice completes, if any.
    package mutating func take(_ slice: EncodedSlice) -> BroadcastPicture? {
        guard slice.encoding == encoding else { return nil }
        if slice.isFirst {
            if open != nil { fail() }
            guard slice.isKeyframe || last.map({ slice.frameIndex == $0 &+ 1 }) ?? false else {
                drops.count(.awaitingKeyframe)
                last = nil
                return nil
            }
            let picture = BroadcastPicture(
                annexB: [], captured: slice.timing.captured, isKeyframe: slice.isKeyframe)
            open = Open(index: slice.frameIndex, picture: picture)
        }
        guard var current = open else {
            // Ignore a slice of a picture that was dropped with its first slice.
            return nil
        }
        open = nil
        guard current.index == slice.frameIndex,
            slice.annexB.count <= Self.maximumPicture - current.picture.annexB.count
        else {
            fail()
            return nil
        }
        current.picture.annexB += slice.annexB
        guard slice.isLast else {
            open = current
            return nil
        }
        last = current.index
        return current.picture
    }

    private mutating func fail() {
        drops.count(.brokenFrame)
        open = nil
        last = nil
    }
}
