package import HelioCore
package import HelioMedia

extension AdaptationLadder {
    /// Processes an encoded live picture, from the capture that an encode holds: neither a keyframe nor a refinement,
    /// and one with changed pixels.
    ///
    /// - Parameters:
    ///   - size: the size in which it was encoded.
    ///   - bits: its encoded size.
    ///   - watch: detects the kind of content; the picture is passed to it first.
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
