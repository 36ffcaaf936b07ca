package import HelioCore
package import HelioRemoteWire

/// A monitor of the host's machine.
public struct Monitor: Identifiable, Sendable, Hashable {
    /// The monitor's identity, which stays the same when it is unplugged and plugged in again.
    public let id: String
    /// The monitor's human-readable name.
    public let name: String
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// True for the desktop's main monitor, which is shared if none is chosen.
    public let isPrimary: Bool
    /// Pixels per point: 2 if the desktop draws everything twice as large. On X it is the same for all monitors; `nil`
    /// at a viewer, as hosts do not send it.
    public let scale: Double?

    package init(_ monitor: ScreenMonitor) {
        id = monitor.id
        name = monitor.name
        width = monitor.rect.width
        height = monitor.rect.height
        isPrimary = monitor.isPrimary
        scale = monitor.scale
    }

    package init(_ entry: MonitorEntry) {
        id = entry.id
        name = entry.name
        width = entry.size.width
        height = entry.size.height
        isPrimary = entry.isPrimary
        scale = nil
    }
}
