public import HelioCore
internal import HelioRemote
internal import HelioRemoteWire
public import HelioSharing

extension MirrorSink {
    /// The monitors that this sink may choose from, in the source's order. If viewers can't choose, the list contains
    /// only the shown monitor. It is empty until the source has sent it, and if the source is an app that supplies its
    /// own frames. The event `monitors` reports changes.
    public var monitors: [Monitor] { watch.host.monitors.monitors }

    /// The shown monitor; `nil` until the source has named it.
    public var selectedMonitor: Monitor? {
        let choice = watch.host.monitors
        return choice.selected.flatMap { choice.find($0) }.map { Monitor($0) }
    }

    /// Asks the source to show another of its monitors, to all viewers. Only the viewer that drives may choose; if
    /// nobody drives, this sink becomes the driver. The event `monitors` confirms the change.
    ///
    /// Throws `invalidArgument`, naming the choices, if there is no such monitor, and `refused` if the source accepts
    /// no input from this sink, or another viewer drives.
    public func selectMonitor(_ id: Monitor.ID) throws(HelioError) {
        let host = watch.host
        let choice = host.monitors
        guard let entry = choice.list.first(where: { $0.id == id }) else {
            throw HelioError(
                .invalidArgument,
                choice.list.isEmpty
                    ? "The source has told of no monitors." : "There is no such monitor; there are: \(choice.names).")
        }
        guard host.allowsControl else { throw HelioError(.refused, "The source lets this sink watch only.") }
        if let name = host.otherDriver {
            throw HelioError(.refused, "\(name) is in control, and chooses the monitor.")
        }
        watch.send(.selectMonitor(id: entry.id))
    }
}
