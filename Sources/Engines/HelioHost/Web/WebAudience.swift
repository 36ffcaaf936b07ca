import HelioCore

/// The viewers of a `SourceHost` in browsers.
struct WebAudience {
    enum Drop: String, Sendable, CaseIterable, Hashable {
        /// Browsers are not served, or the connection is no longer known.
        case unknownViewer = "web-unknown-viewer"
        case tooManyViewers = "web-too-many-viewers"
    }

    /// The sessions, in the order in which they joined.
    var sessions = OrderedTable<ConnectionID, WebSession>()
    /// The ended sessions whose peer connections have not been released yet.
    var leaving: [ConnectionID: WebSession] = [:]
    var drops = DropCounter<Drop>()
}
