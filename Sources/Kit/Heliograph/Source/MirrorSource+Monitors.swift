public import HelioCore

extension MirrorSource {
    /// A monitor that can be shared.
    public struct Monitor: Identifiable, Sendable, Hashable {
        /// The monitor's identity, the same when it is unplugged and plugged in again.
        public let id: String
        /// The monitor's name, for people.
        public let name: String
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// True for the desktop's main monitor, which is shared where none is chosen.
        public let isPrimary: Bool
        /// Pixels per point: 2 where the desktop draws everything twice as large. On X it is the same for all monitors.
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

    /// The monitors that can be shared, in the platform's order; empty where an app encodes. `Event.monitors` tells of
    /// changes.
    public var monitors: [Monitor] { board?.layout.monitors.map { Monitor($0) } ?? [] }

    /// The monitor that is shared; `nil` where an app encodes.
    public var selectedMonitor: Monitor? { board.map { Monitor($0.layout.selected) } }

    /// Shares another monitor, to all viewers. They go on without a new session; their input goes to that monitor from
    /// now on. `Event.monitors` tells when it is shared.
    ///
    /// While a chosen monitor is not there, the primary one is shared.
    ///
    /// Throws `invalidArgument`, naming the monitors, for one that is not there.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        guard let board else {
            throw HelioError(.invalidArgument, "This source shares what an app encodes: it has no monitors.")
        }
        try board.select(id)
    }
}
