extension MirrorSource {
    /// The adaptation of a shared screen to what the viewers' paths carry (rows 6, 16 and 18): the specification's
    /// `Option_EnableAdptiveFun`, in three.
    ///
    /// The path that counts is the slowest viewer's, but for those whose paths carry less than half of what the best
    /// one's does: they are sent a second encode, or a picture every two seconds, and cost the others nothing.
    ///
    /// Each change is an ``Event/info(_:)``, and ``SourceStatistics/shortage`` tells the cause. An app's own encoder is
    /// told the bitrate by its plugin, and decides by itself about size and frame rate: for it, `automatic` is the same
    /// as `bitrate`, and only viewers that carry less than a quarter are apart.
    public enum Adaptation: String, Sendable, Hashable, CaseIterable {
        /// The bitrate follows the path. Where that is not enough, so do size and frame rate, along a ladder from what
        /// is agreed on, 1080p60 say, through 720p30 down to 360p10: what moves stays smooth and becomes smaller, text
        /// stays sharp and loses frames first. The picture is as before soon after the path is.
        case automatic = "auto"
        /// Only the bitrate follows the path.
        case bitrate = "rate"
        /// The agreed bitrate is coded whatever the paths carry, for all alike: pictures that don't get through are
        /// left out.
        case off
    }
}
