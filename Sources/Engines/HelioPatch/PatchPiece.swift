/// A piece of a picture that `PatchCoder` looks at in one go: from one macroblock on, for so much work.
package struct PatchPiece: Sendable, Equatable {
    /// The work of looking at a macroblock.
    static let costOfLooking = 1
    /// The further work of coding one.
    static let costOfCoding = 3

    /// The macroblock to begin with. Afterwards the one to go on with; 0 where there is none behind it.
    package var next: Int
    /// The work after which the rest is left for another time, macroblocks that are looked at being 1 each.
    package let work: Int

    package init(next: Int = 0, work: Int) {
        self.next = next
        self.work = work
    }
}
