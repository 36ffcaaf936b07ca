import HelioCore

/// The reports of one page that decodes the picture itself (docs/web/protocol.md, "A picture that the page decodes").
struct WebOwnPicture {
    /// True if the page decodes repair pictures; `nil` while the browser itself decodes the picture.
    private(set) var repairs: Bool?
    /// The number of reported losses, without repeated and outdated reports.
    private var losses = 0
    /// The serial number of the newest report of a loss.
    private var lastOrder: UInt64?
    /// The RTP timestamp of the newest frame that the page has decoded.
    private var newest: UInt32?
    /// The median time from a frame's arrival at the page to its drawing.
    private var drawDelay: Duration?

    /// Sets whether the page or the browser itself decodes the picture from now on.
    ///
    /// - Parameter repairs: whether the page decodes repair pictures; `nil`: the browser decodes the picture.
    /// - Returns: whether that has changed.
    mutating func set(repairs: Bool?) -> Bool {
        guard repairs != self.repairs else { return false }
        self.repairs = repairs
        (newest, drawDelay) = (nil, nil)
        return true
    }

    /// Handles a report of a loss; returns the reason if it is dropped. Reports may arrive out of order, and twice.
    mutating func lost(order: UInt64) -> WebSession.Drop? {
        guard repairs != nil else { return .notOwnPicture }
        if let lastOrder, order <= lastOrder { return .outdatedReport }
        lastOrder = order
        losses += 1
        return nil
    }

    /// Handles a report of the newest decoded frame; returns the reason if it is dropped.
    mutating func saw(timestamp: UInt32, milliseconds: Double) -> WebSession.Drop? {
        guard repairs != nil else { return .notOwnPicture }
        if let newest, Int32(bitPattern: timestamp &- newest) < 0 { return .outdatedReport }
        newest = timestamp
        drawDelay = .microseconds(Int64(milliseconds * 1000))
        return nil
    }

    /// The statistics; `nil` while the browser decodes the picture.
    var statistics: SourceHost.Statistics.Viewer.OwnPicture? {
        repairs.map { .init(repairs: $0, losses: losses, drawDelay: drawDelay) }
    }
}
