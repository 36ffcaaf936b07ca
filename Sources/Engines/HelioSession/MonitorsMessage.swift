import HelioCore
package import HelioRemoteWire

/// The monitors that viewers may choose from, as the body of a SET_PARAMETER request: the same JSON as the message
/// `monitors` to browsers (docs/web/protocol.md).
package enum MonitorsMessage {
    static let contentType = "application/x-heliograph-monitors+json"

    package static func encode(_ list: [MonitorEntry], selected: String?) -> [UInt8] {
        HostMessage.monitors(list, selected: selected).serialised()
    }

    /// Parses a message's body. Names are cleaned by `DeviceName.clean`, as they may be shown on a terminal.
    package static func decode(_ bytes: [UInt8]) -> (list: [MonitorEntry], selected: String?)? {
        guard case .monitors(var list, let selected)? = try? HostMessage(parsing: bytes.span.bytes) else { return nil }
        for index in list.indices { list[index].name = DeviceName.clean(list[index].name, fallback: "a monitor") }
        return (list, selected)
    }
}
