package import HelioCore

extension JitterBuffer {
    /// Switches to another codec, whose first picture is a keyframe after all packets received so far.
    ///
    /// - Parameter sequence: the number of the first received packet of that codec.
    /// - Returns: `false` if that packet is older than the newest packet received, so that it is useless.
    package mutating func change(to codec: VideoCodec, at sequence: ExtendedSequence, now: Instant) -> Bool {
        if let highest {
            guard sequence.rawValue > highest else { return false }
            dropHeld(upTo: highest + 1, as: .superseded)
        }
        drops.count(.superseded, assembly.packets)
        configuration.codec = codec
        keyframeStart = KeyframeStart(codec: codec, needsParameterSets: configuration.keyframesHaveParameterSets)
        assembly.change(to: codec)
        isFlowing = false
        ahead = nil
        lastWhole = nil
        repairsAsked = nil
        keyframeReason = .start
        // The keyframe is on its way, so it is requested only if it does not arrive within `startPatience`.
        nextKeyframeRequest = now + configuration.startPatience
        return true
    }
}
