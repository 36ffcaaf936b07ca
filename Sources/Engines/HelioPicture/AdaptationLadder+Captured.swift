package import HelioCore
package import HelioMedia

extension AdaptationLadder {
    /// Takes a live picture that was coded, as an encode has it: neither a keyframe nor a refinement, and one in which
    /// something has changed.
    ///
    /// - Parameters:
    ///   - size: the size that it was coded in.
    ///   - bits: what it took.
    ///   - watch: tells the kind of the content; takes the picture, too.
    package mutating func take(
        _ captured: Captured, of size: PixelSize, bits: Int, quality: CodedQuality?, watch: inout ContentWatch
    ) {
        let changed = min(captured.damage.area, size.area)
        watch.take(
            share: Double(changed) / Double(max(1, size.area)), isScrolled: quality?.isScrolled ?? false,
            framesPerSecond: rung.framesPerSecond, now: captured.captured)
        take(bits: bits, quantiser: quality?.quantiser, changed: changed, content: watch.kind, now: captured.captured)
    }
}
