internal import HelioCore
internal import HelioRemoteWire

/// The host's monitors, as it last told this viewer.
struct MonitorChoice: Sendable {
    var list: [MonitorEntry] = []
    /// The `id` of the one that is shown.
    var selected: String?

    /// Finds a monitor by its `id`, or by its name.
    func find(_ name: String) -> MonitorEntry? {
        list.first { $0.id == name } ?? list.first { $0.name == name }
    }

    /// The size of the one that is shown, where that is known.
    var screen: PixelSize? { selected.flatMap { id in list.first { $0.id == id }?.size } }

    /// The monitor after the shown one; `nil` where there is no other.
    var next: MonitorEntry? {
        guard list.count > 1 else { return nil }
        let now = list.firstIndex { $0.id == selected } ?? list.count - 1
        return list[(now + 1) % list.count]
    }

    /// The names and sizes, for people.
    var names: String {
        list.map { "\($0.name) (\($0.size))" }.joined(separator: ", ")
    }
}
