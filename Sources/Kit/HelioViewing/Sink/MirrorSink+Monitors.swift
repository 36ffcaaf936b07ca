public import HelioCore
internal import HelioRemoteWire

extension MirrorSink {
    /// A monitor of the source's machine.
    public struct Monitor: Identifiable, Sendable, Hashable {
        /// The same while it is there, and when it is plugged in again.
        public let id: String
        /// For people.
        public let name: String
        /// Pixels.
        public let width: Int
        /// Pixels.
        public let height: Int
        /// The desktop's main one.
        public let isPrimary: Bool

        init(_ entry: MonitorEntry) {
            id = entry.id
            name = entry.name
            width = entry.size.width
            height = entry.size.height
            isPrimary = entry.isPrimary
        }
    }

    /// What this sink may choose from, in the source's order: the one that is shown alone where viewers can't choose, and
    /// nothing before the source has told, and where an app encodes. `Event.monitors` tells of changes.
    public var monitors: [Monitor] { choice.list.map { Monitor($0) } }

    /// What is shown, as far as the source has told.
    public var selectedMonitor: Monitor? {
        let choice = choice
        return choice.selected.flatMap { choice.find($0) }.map { Monitor($0) }
    }

    /// Asks the source to show another of its monitors, to all who watch. Only who drives may choose; where nobody does,
    /// this sink drives from now on. `Event.monitors` tells when it is so.
    ///
    /// Throws `invalidArgument`, naming the monitors, for one that is not there, and `refused` where the source takes no
    /// input from this sink, or somebody else drives.
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
