public import HelioCore
internal import HelioRemoteWire

extension MirrorSink {
    /// A monitor of the source's machine.
    public struct Monitor: Identifiable, Sendable, Hashable {
        /// The monitor's identity, which stays the same when it is unplugged and plugged in again.
        public let id: String
        /// The monitor's name, for people.
        public let name: String
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// True for the desktop's main monitor.
        public let isPrimary: Bool

        init(_ entry: MonitorEntry) {
            id = entry.id
            name = entry.name
            width = entry.size.width
            height = entry.size.height
            isPrimary = entry.isPrimary
        }
    }

    /// The monitors that this sink may choose from, in the source's order. If viewers can't choose, the list contains
    /// only the shown one; it is empty until the source has sent it, and if an app encodes. The event `monitors`
    /// reports changes.
    public var monitors: [Monitor] { choice.list.map { Monitor($0) } }

    /// The shown monitor; `nil` until the source has named it.
    public var selectedMonitor: Monitor? {
        let choice = choice
        return choice.selected.flatMap { choice.find($0) }.map { Monitor($0) }
    }

    /// Asks the source to show another of its monitors, to all viewers. Only the viewer that drives may choose; if
    /// nobody drives, this sink becomes the driver. The event `monitors` confirms the change.
    ///
    /// Throws `invalidArgument`, naming the choices, if there is no such monitor, and `refused` if the source accepts
    /// no input from this sink, or another viewer drives.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        let choice = choice
        guard let entry = choice.list.first(where: { $0.id == id }) else {
            throw HelioError(
                .invalidArgument,
                choice.list.isEmpty
                    ? "The source has told of no monitors." : "There is no such monitor; there are: \(choice.names).")
        }
        try choose(entry.id)
    }
}
