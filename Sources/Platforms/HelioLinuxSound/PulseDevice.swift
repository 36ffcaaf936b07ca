internal import CPulse
internal import HelioCore

/// A sink (output) or a source (input) of the sound server.
struct PulseDevice {
    enum Kind {
        case sink
        case source
    }

    /// The server's index, unique while the server runs.
    var index: UInt32
    var name: String
    var description: String
    /// The name of the source to capture: a sink's monitor, or the source itself.
    var captured: String
    /// True for a monitor: a source with the sound that a sink plays.
    var isMonitor = false

    init(_ info: pa_sink_info) {
        index = info.index
        name = Self.text(info.name)
        description = Self.text(info.description)
        captured = Self.text(info.monitor_source_name)
    }

    init(_ info: pa_source_info) {
        index = info.index
        name = Self.text(info.name)
        description = Self.text(info.description)
        captured = name
        isMonitor = info.monitor_of_sink != UInt32.max
    }

    /// True for a device that a Heliograph process has made to play a viewer's sound: capturing it would send the
    /// viewer's own sound back.
    var isOurs: Bool { name.hasPrefix(VirtualMicrophone.prefix) }

    private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
