extension MirrorSource {
    /// The adaptation of a shared screen to what the viewers' paths carry (rows 6, 16 and 18): the specification's
    /// `Option_EnableAdptiveFun`, in three levels.
    ///
    /// The slowest viewer's path decides. Viewers whose paths carry less than half of what the best path carries are
    /// excepted: they are sent a second encode, or a picture every two seconds, and cost the others nothing.
    ///
    /// Each change is an ``Event/info(_:)``, and ``SourceStatistics/shortage`` gives the cause. An app's own encoder
    /// gets the bitrate by its plugin, and chooses size and frame rate itself: for it, `automatic` equals `bitrate`,
    /// and only viewers whose paths carry less than a quarter are excepted.
    public enum Adaptation: String, Sendable, Hashable, CaseIterable {
        /// The bitrate follows the path. If that is not enough, size and frame rate go down a ladder from the agreed
        /// format, for example from 1080p60 through 720p30 to 360p10. Moving pictures stay smooth and become smaller;
        /// text stays sharp and loses frames first. The picture recovers soon after the path does.
        case automatic = "auto"
        /// Only the bitrate follows the path.
        case bitrate = "rate"
        /// The agreed bitrate is coded whatever the paths carry, for all viewers alike; pictures that don't get through
        /// are dropped.
        case off
    }
}
