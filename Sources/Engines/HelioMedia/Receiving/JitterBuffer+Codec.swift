package import HelioCore

extension JitterBuffer {
    /// Goes on in another codec, from some keyframe behind all that has come so far.
    ///
    /// - Parameter sequence: the number of the first packet of that codec that came.
    /// - Returns: `false` where that packet is older than what has come: it is of no use.
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
        // The keyframe is on its way: it is asked for only when it does not come.
        nextKeyframeRequest = now + configuration.startPatience
        return true
    }
}
