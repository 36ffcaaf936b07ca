public import HelioCore

extension MirrorSource {
    /// A monitor that can be shared.
    public struct Monitor: Identifiable, Sendable, Hashable {
        /// The monitor's identity, which stays the same when it is unplugged and plugged in again.
        public let id: String
        /// The monitor's name, for people.
        public let name: String
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// True for the desktop's main monitor, which is shared if none is chosen.
        public let isPrimary: Bool
        /// Pixels per point: 2 if the desktop draws everything twice as large. On X it is the same for all monitors.
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

    /// The monitors that can be shared, in the platform's order; empty if an app encodes. The event `monitors` reports
    /// changes.
    public var monitors: [Monitor] { board?.layout.monitors.map { Monitor($0) } ?? [] }

    /// The shared monitor; `nil` if an app encodes.
    public var selectedMonitor: Monitor? { board.map { Monitor($0.layout.selected) } }

    /// Shares another monitor, with all viewers. Their sessions go on, and their input goes to that monitor. The event
    /// `monitors` confirms the change.
    ///
    /// While the chosen monitor is unplugged, the primary one is shared.
    ///
    /// Throws `invalidArgument`, naming the choices, if there is no such monitor.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        guard let board else {
            throw HelioError(.invalidArgument, "This source shares what an app encodes: it has no monitors.")
        }
        try board.select(id)
    }
}
