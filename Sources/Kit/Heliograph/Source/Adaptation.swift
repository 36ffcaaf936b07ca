extension MirrorSource {
    /// The adaptation of a shared screen to what the viewers' paths carry (rows 6, 16 and 18): the specification's
    /// `Option_EnableAdptiveFun`, in three.
    ///
    /// Each change is an ``Event/info(_:)``, and ``SourceStatistics/shortage`` tells the cause. An app's own encoder is
    /// told the bitrate by its plugin, and decides by itself about size and frame rate: for it, `automatic` is the same
    /// as `bitrate`.
    public enum Adaptation: String, Sendable, Hashable, CaseIterable {
        /// The bitrate follows the slowest viewer's path. Where that is not enough, so do size and frame rate, along a
        /// ladder from what is agreed on, 1080p60 say, through 720p30 down to 360p10: what moves stays smooth and
        /// becomes smaller, text stays sharp and loses frames first. The picture is as before soon after the path is.
        case automatic = "auto"
        /// Only the bitrate follows the slowest viewer's path.
        case bitrate = "rate"
        /// The agreed bitrate is coded whatever the paths carry: pictures that don't get through are left out.
        case off
    }
}
