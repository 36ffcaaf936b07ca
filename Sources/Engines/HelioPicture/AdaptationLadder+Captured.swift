package import HelioCore
package import HelioMedia

extension AdaptationLadder {
    /// Updates the content detection and the ladder with an encoded live picture: one with changed pixels that is
    /// neither a keyframe nor a refinement.
    ///
    /// - Parameters:
    ///   - size: the size in which the picture was encoded.
    ///   - bits: the picture's encoded size in bits.
    ///   - work: the time from the capture to the end of the encoding; `nil` if it was not measured.
    ///   - watch: the detection of the kind of content, which is updated with the picture before the ladder is.
    package mutating func take(
        _ captured: Captured, of size: PixelSize, bits: Int, quality: CodedQuality?, work: Duration? = nil,
        watch: inout ContentWatch
    ) {
        let changed = min(captured.damage.area, size.area)
        watch.take(
            share: Double(changed) / Double(max(1, size.area)), isScrolled: quality?.isScrolled ?? false,
            framesPerSecond: rung.framesPerSecond, now: captured.captured)
        take(
            bits: bits, quantiser: quality?.quantiser, changed: changed, work: work, content: watch.kind,
            now: captured.captured)
    }
}
