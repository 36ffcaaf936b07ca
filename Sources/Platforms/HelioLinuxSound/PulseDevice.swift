internal import CPulse
internal import HelioCore

/// A sink or a source of the sound server, in its words: what plays, and what is captured.
struct PulseDevice {
    enum Kind {
        case sink
        case source
    }

    /// Another for each device while the server runs.
    var index: UInt32
    var name: String
    var description: String
    /// What is captured to hear it: of a sink its monitor, of a source itself.
    var captured: String
    /// True for a monitor: a source that gives what a sink plays.
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

    /// True for what another program of this kind has made to let a viewer be heard: capturing it would send the viewer
    /// back to himself.
    var isOurs: Bool { name.hasPrefix(VirtualMicrophone.prefix) }

    private static func text(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
