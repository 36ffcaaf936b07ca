/// Puts pictures that come in decoding order into the order in which they are shown, by their times.
///
/// Holds back as many as the stream says (`DecompressionFormat.reorderedPictures`), and none where it says 0. Of what is
/// due one picture goes out for each that comes in.
package struct PictureOrder<Picture> {
    private var held: [(time: Int64, picture: Picture)] = []
    private var last = Int64.min
    /// Pictures that are never shown: they came after a later one had gone out, or more were due at once than one.
    package private(set) var dropped = 0

    package init() {}

    /// Takes a picture; gives the next to be shown, if there is one.
    package mutating func put(_ picture: Picture, time: Int64, depth: Int) -> Picture? {
        guard time >= last || depth == 0 else {
            dropped += 1
            return nil
        }
        // Behind those of the same time (row 77).
        let index = held.firstIndex { $0.time > time } ?? held.endIndex
        held.insert((time, picture), at: index)
        // Where the depth has shrunk, only the newest of what is due is of use.
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
