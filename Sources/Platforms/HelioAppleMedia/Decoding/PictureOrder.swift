/// Reorders pictures from decoding order to presentation order, by their media times.
///
/// The output lags by as many pictures as the stream's reorder depth says (`DecompressionFormat.reorderedPictures`).
/// Each call of `put` returns at most one picture.
package struct PictureOrder<Picture> {
    private var held: [(time: Int64, picture: Picture)] = []
    private var last = Int64.min
    /// The number of pictures dropped, because they were added after a later picture had been returned, or several were
    /// due at once.
    package private(set) var dropped = 0

    package init() {}

    /// Adds a picture; returns the next picture in presentation order, or `nil` if none is due yet.
    package mutating func put(_ picture: Picture, time: Int64, depth: Int) -> Picture? {
        guard time >= last || depth == 0 else {
            dropped += 1
            return nil
        }
        // Insert it after pictures of the same time (requirement row 77).
        let index = held.firstIndex { $0.time > time } ?? held.endIndex
        held.insert((time, picture), at: index)
        // If the depth has decreased, several pictures are due: drop all but the newest of them.
        while held.count > depth + 1 {
            held.removeFirst()
            dropped += 1
        }
        guard held.count > depth else { return nil }
        let next = held.removeFirst()
        last = next.time
        return next.picture
    }

    package mutating func reset() {
        held = []
        last = .min
    }
}
