/// A piece of a picture that `PatchCoder` examines in one call: the macroblock to begin with, and the amount of work.
package struct PatchPiece: Sendable, Equatable {
    /// The work of examining a macroblock.
    static let costOfLooking = 1
    /// The additional work of coding a macroblock.
    static let costOfCoding = 3

    /// The macroblock to begin with; after the call the one to continue with, or 0 if none is left after it.
    package var next: Int
    /// The work after which the rest is left for another call; examining a macroblock is 1.
    package let work: Int

    package init(next: Int = 0, work: Int) {
        self.next = next
        self.work = work
    }
}
