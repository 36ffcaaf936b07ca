/// The part of a picture that one call of `PatchCoder` examines: the macroblock to begin with, and a limit of work.
package struct PatchPiece: Sendable, Equatable {
    /// The work units for examining a macroblock.
    static let costOfLooking = 1
    /// The additional work units for coding a macroblock.
    static let costOfCoding = 3

    /// The index of the macroblock to begin with. The call advances it to the macroblock to continue with, or to 0 if
    /// none is left after it.
    package var next: Int
    /// The work units after which the rest is left for another call.
    package let work: Int

    package init(next: Int = 0, work: Int) {
        self.next = next
        self.work = work
    }
}
