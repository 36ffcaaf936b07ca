internal import HelioCore
internal import HelioRemoteWire
internal import HelioSharing

/// The host's monitors, as last reported to this viewer.
struct MonitorChoice: Sendable {
    var list: [MonitorEntry] = []
    /// The `id` of the shown monitor.
    var selected: String?

    /// Finds a monitor by its `id` or its name.
    func find(_ name: String) -> MonitorEntry? {
        list.first { $0.id == name } ?? list.first { $0.name == name }
    }

    /// The size of the shown monitor; `nil` if it is not known.
    var screen: PixelSize? { selected.flatMap { id in list.first { $0.id == id }?.size } }

    /// The monitor after the shown monitor, cyclically; `nil` if there is no other monitor.
    var next: MonitorEntry? {
        guard list.count > 1 else { return nil }
        let now = list.firstIndex { $0.id == selected } ?? list.count - 1
        return list[(now + 1) % list.count]
    }

    /// The monitors in the form of the public API.
    var monitors: [Monitor] { list.map { Monitor($0) } }

    /// The names and sizes of all monitors as human-readable text.
    var names: String {
        list.map { "\($0.name) (\($0.size))" }.joined(separator: ", ")
    }
}
