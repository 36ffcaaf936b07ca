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
    var drops = DropCounter<Drop>()
    var keyframe = KeyframeDemand()
}

/// Asks for a keyframe at most so often: one serves all, and what is asked in between waits.
struct KeyframeDemand {
    private static let spacing = Duration.milliseconds(100)

    private var reason: String?
    private var asked: Instant?

    mutating func ask(_ reason: String) { self.reason = self.reason ?? reason }

    /// The reason when one has to be coded.
    mutating func take(now: Instant) -> String? {
        guard let reason else { return nil }
        if let asked, now - asked < Self.spacing { return nil }
        asked = now
        self.reason = nil
        return reason
    }

    var deadline: Deadline? {
        guard reason != nil, let asked else { return nil }
        return Deadline(at: asked + Self.spacing, why: "a keyframe is owed")
    }
}
