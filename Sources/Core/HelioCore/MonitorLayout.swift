/// The monitors that there are, and which of them is captured.
package struct MonitorLayout: Hashable, Sendable {
    /// In the platform's order; never empty.
    package let monitors: [ScreenMonitor]
    /// The captured one.
    package let selected: ScreenMonitor

    /// - Parameter selected: one of the monitors.
    package init(_ monitors: [ScreenMonitor], selected: ScreenMonitor) {
        self.monitors = monitors
        self.selected = selected
    }

    /// Throws `invalidArgument`, naming those that there are, where this one is not among them.
    package func monitor(_ id: ScreenMonitor.ID) throws(HelioError) -> ScreenMonitor {
        if let found = monitors.first(where: { $0.id == id }) { return found }
        let names = monitors.map(\.id).joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no monitor '\(id)' here; there are: \(names).")
    }
}
