package import HelioCore
package import HelioMedia

/// A step of an `AdaptationLadder` to another rung, with its reason.
package struct LadderStep: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The path carries too little for the rung before.
        case shortage
        /// The path carries enough for a higher rung again.
        case recovery
        /// The kind of content has changed, and other rungs suit it.
        case content(ContentKind)
        /// The screen is at rest and is looked at closely.
        case rest
        /// A first viewer begins to watch over an unknown path.
        case beginning
    }

    package var rung: LadderRung
    package var reason: Reason
    /// The bitrate that the path carries.
    package var bitrate: Bitrate
    /// True if the rung is the agreed format itself.
    package var isTop: Bool

    /// The step as a sentence, for people.
    package var sentence: String {
        var what = "Sending \(rung.size) at \(rung.framesPerSecond) frames a second"
        if reason == .rest { return "\(what), as nothing moves." }
        if isTop { return "\(what) again." }
        if case .content(let kind) = reason { what += kind == .text ? " for text" : " for what moves" }
        return "\(what), as the network carries \(bitrate)."
    }
}
