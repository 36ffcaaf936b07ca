public import HelioCore

extension MirrorSource {
    /// A monitor that can be shared.
    public struct Monitor: Identifiable, Sendable, Hashable {
        /// The same while it is there, and when it is plugged in again.
        public let id: String
        /// For people.
        public let name: String
        /// Pixels.
        public let width: Int
        /// Pixels.
        public let height: Int
        /// The desktop's main one, which is shared where none is chosen.
        public let isPrimary: Bool
        /// Pixels a point: 2 where the desktop draws everything twice as large. On X it is the same for all monitors.
        public let scale: Double

        init(_ monitor: ScreenMonitor) {
            id = monitor.id
            name = monitor.name
            width = monitor.rect.width
            height = monitor.rect.height
            isPrimary = monitor.isPrimary
            scale = monitor.scale
        }
    }

    /// What can be shared, in the platform's order; empty where an app encodes. `Event.monitors` tells of changes.
    public var monitors: [Monitor] { board?.layout.monitors.map { Monitor($0) } ?? [] }

    /// What is shared; `nil` where an app encodes.
    public var selectedMonitor: Monitor? { board.map { Monitor($0.layout.selected) } }

    /// Shares another monitor, to all viewers. They go on without a new session; what they do is done there from now on.
    /// `Event.monitors` tells when it is so.
    ///
    /// While a monitor that was chosen is not there, the primary one is shared.
    ///
    /// Throws `invalidArgument`, naming the monitors, for one that is not there.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        guard let board else {
            throw HelioError(.invalidArgument, "This source shares what an app encodes: it has no monitors.")
        }
        try board.select(id)
    }
}
