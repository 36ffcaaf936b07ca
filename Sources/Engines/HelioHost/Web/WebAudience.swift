import HelioCore

/// What `SourceHost` keeps of browsers' viewers.
struct WebAudience {
    enum Drop: String, Sendable, CaseIterable, Hashable {
        /// Browsers are not served, or the connection is not known any more.
        case unknownViewer = "web-unknown-viewer"
        case tooManyViewers = "web-too-many-viewers"
    }

    /// In the order in which they came.
    var sessions = OrderedTable<ConnectionID, WebSession>()
    /// Those that are over, until nothing is left of their peer connections.
    var leaving: [ConnectionID: WebSession] = [:]
    var drops = DropCounter<Drop>()
}
