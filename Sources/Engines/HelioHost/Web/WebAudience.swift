import HelioCore

/// The browsers' viewers of a `SourceHost`.
struct WebAudience {
    enum Drop: String, Sendable, CaseIterable, Hashable {
        /// Browsers are not served, or the connection is not known any more.
        case unknownViewer = "web-unknown-viewer"
        case tooManyViewers = "web-too-many-viewers"
    }

    /// The sessions in the order in which they came.
    var sessions = OrderedTable<ConnectionID, WebSession>()
    /// The sessions that are over, until nothing is left of their peer connections.
    var leaving: [ConnectionID: WebSession] = [:]
    var drops = DropCounter<Drop>()
}
