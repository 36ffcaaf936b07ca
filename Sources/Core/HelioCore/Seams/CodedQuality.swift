/// The quality of an encoded live picture, as its encoder reports it.
package struct CodedQuality: Sendable, Hashable {
    /// The quantiser, 0...51 as in H.264 and H.265: higher is coarser. Six steps halve the bits.
    package var quantiser: Int
    /// True for a picture that is mostly coded as motion of earlier content.
    package var isScrolled: Bool

    package init(quantiser: Int, isScrolled: Bool = false) {
        self.quantiser = quantiser
        self.isScrolled = isScrolled
    }
}
