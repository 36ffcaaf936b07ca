/// The quality in which a live picture came out, as its encoder knows it.
package struct CodedQuality: Sendable, Hashable {
    /// The quantiser, 0...51 as in H.264 and H.265: the higher, the coarser. Six steps halve the bits.
    package var quantiser: Int
    /// True for a picture that is mostly told by where its content was before.
    package var isScrolled: Bool

    package init(quantiser: Int, isScrolled: Bool = false) {
        self.quantiser = quantiser
        self.isScrolled = isScrolled
    }
}
