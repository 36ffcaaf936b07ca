public import HelioCore
public import HelioSharing

extension MirrorSource {
    /// The monitors that can be shared, in the platform's order; empty if an app supplies the frames. The event
    /// `monitors` reports changes.
    public var monitors: [Monitor] { board?.layout.monitors.map { Monitor($0) } ?? [] }

    /// The shared monitor; `nil` if an app supplies the frames.
    public var selectedMonitor: Monitor? { board.map { Monitor($0.layout.selected) } }

    /// Shares another monitor with all viewers. Their sessions continue, and their input is sent to the new monitor.
    /// The event `monitors` confirms the change.
    ///
    /// The primary monitor is shared while the chosen monitor is unplugged.
    ///
    /// Throws `invalidArgument`, naming the choices, if there is no such monitor.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        guard let board else {
            throw HelioError(.invalidArgument, "This source shares what an app encodes: it has no monitors.")
        }
        try board.select(id)
    }
}
