extension MirrorSource {
    /// The adaptation of a shared screen to the bitrates that the viewers' paths carry (requirement rows 6, 16 and 18):
    /// the specification's `Option_EnableAdptiveFun`, in three levels.
    ///
    /// The slowest viewer's path decides. Viewers whose paths carry less than half of the best path's bitrate are
    /// excepted: they are sent a second encoding, or a picture every two seconds, so that they don't reduce the others'
    /// quality.
    ///
    /// Each change is reported as ``Event/info(_:)``, and ``SourceStatistics/shortage`` gives the reason. An app's own
    /// encoder gets the bitrate through its plugin, and chooses size and frame rate itself: for it, `automatic` equals
    /// `bitrate`, and only viewers whose paths carry less than a quarter of the best path's bitrate are excepted.
    public enum Adaptation: String, Sendable, Hashable, CaseIterable {
        /// The bitrate adapts to the path. If that is not enough, size and frame rate are reduced in steps from the
        /// agreed format, for example from 1080p60 through 720p30 to 360p10. For video the size is reduced first, so
        /// that motion stays smooth; for text the frame rate is reduced first, so that the text stays sharp. The steps
        /// are undone soon after the path has recovered.
        case automatic = "auto"
        /// Only the bitrate adapts to the path.
        case bitrate = "rate"
        /// No adaptation: the agreed bitrate is used for all viewers, whatever their paths carry, and pictures that
        /// exceed a path's bitrate are dropped.
        case off
    }
}
