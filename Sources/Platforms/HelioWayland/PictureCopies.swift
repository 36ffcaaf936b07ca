package import HelioCore

/// Copies of an output's picture, one at a time, into two pictures in turn, so that the newest can be read while the
/// compositor writes the other: by the protocol that the compositor offers.
package protocol PictureCopies: AnyObject {
    /// The newest picture; `nil` before the first.
    var newest: SharedPicture? { get }
    /// The turn of the newest picture; `nil` if the protocol does not tell, and it is its output's.
    var transform: OutputTransform? { get }
    var isCopying: Bool { get }
    /// The pointer, where it comes beside the pictures; `nil` if it is a part of them.
    var pointer: CopiedPointer? { get }
    /// A reason why no copy will ever come this way, as a note without a full stop; `nil` if there is none.
    var refusal: String? { get }

    /// Asks for the next copy; does nothing if one is under way.
    ///
    /// - Parameter isWhole: true for a copy at once, with all of it counted as changed; otherwise the copy comes after
    ///   the next change.
    func ask(of output: UInt32, isWhole: Bool) throws(HelioError)
    /// Gives up the copy under way.
    func cancel()
    /// Handles an event; returns the copy's result if it was the last event about it.
    func take(_ notice: WaylandConnection.Notice) throws(HelioError) -> CopyResult?
}

package enum CopyResult: Equatable {
    /// `newest` is a new picture: the parts of it, in memory, that differ from the last one; `nil` for all.
    case copied(changed: Region?)
    /// The compositor could not copy: the output is off or gone, or has another size by now.
    case failed
}

/// A pointer over an output, as it comes beside the pictures.
package struct CopiedPointer: Sendable, Hashable {
    /// The shape; `nil` until one has come.
    package var shape: CursorShape?
    /// The column and row of the hot spot, in the picture as it is seen.
    package var x = 0, y = 0
    /// True while it is over the output.
    package var isInside = false

    package init() {}
}

extension Region {
    /// Returns the parts of this region, which is inside a picture in memory, in which that picture differs from the one
    /// before.
    func differing(in newer: SharedPicture, from older: SharedPicture?) -> Region {
        guard let older, older.layout == newer.layout, older.isInverted == newer.isInverted else { return self }
        var changed = Region()
        for part in rects {
            TileComparison.compare(
                part, of: TileComparison.Picture(newer.pixels, stride: newer.stride),
                with: TileComparison.Picture(older.pixels, stride: older.stride),
                bytesPerPixel: newer.format.bytesPerPixel, addingTo: &changed)
        }
        return changed
    }
}
