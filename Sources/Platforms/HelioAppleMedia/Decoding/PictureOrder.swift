/// Reorders pictures from decoding order to presentation order, by their times.
///
/// Holds back as many pictures as the stream says (`DecompressionFormat.reorderedPictures`), and none at 0. Each
/// picture put in releases one at most.
package struct PictureOrder<Picture> {
    private var held: [(time: Int64, picture: Picture)] = []
    private var last = Int64.min
    /// The number of pictures never shown: they were added after a later one had been released, or several were due at
    /// once.
    package private(set) var dropped = 0

    package init() {}

    /// Adds a picture; returns the next one to be shown, if there is one.
    package mutating func put(_ picture: Picture, time: Int64, depth: Int) -> Picture? {
        guard time >= last || depth == 0 else {
            dropped += 1
            return nil
        }
        // After those of the same time (row 77).
        let index = held.firstIndex { $0.time > time } ?? held.endIndex
        held.insert((time, picture), at: index)
        // After the depth has shrunk, only the newest of the due pictures is of use.
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
