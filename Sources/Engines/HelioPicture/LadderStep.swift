package import HelioCore
package import HelioMedia

/// A step of an `AdaptationLadder` to another rung, with its reason.
package struct LadderStep: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The path's rate is too low for the former rung.
        case shortage
        /// The path's rate suffices for a higher rung again.
        case recovery
        /// This machine does not encode moving pictures of the former rung fast enough.
        case load
        /// The kind of content has changed, and other rungs suit it.
        case content(ContentKind)
        /// The screen is at rest, and is therefore encoded in the agreed size.
        case rest
        /// A first viewer begins to watch, over a path of unknown rate.
        case beginning
    }

    package var rung: LadderRung
    package var reason: Reason
    /// The path's bitrate at the time of the step.
    package var bitrate: Bitrate
    /// True if the rung is the agreed format itself.
    package var isTop: Bool

    /// The step as a human-readable sentence.
    package var sentence: String {
        var what = "Sending \(rung.size) at \(rung.framesPerSecond) frames a second"
        if reason == .rest { return "\(what), as nothing moves." }
        if isTop { return "\(what) again." }
        if reason == .load { return "\(what), as this machine encodes no more." }
        if case .content(let kind) = reason { what += kind == .text ? " for text" : " for what moves" }
        return "\(what), as the network carries \(bitrate)."
    }
}
