/// A device in the list of adb's server.
package struct ADBDevice: Sendable, Hashable {
    /// The state of the connection to a device.
    package enum State: Sendable, Hashable {
        case ready
        /// The person at the phone has not allowed debugging from this machine yet.
        case unauthorized
        /// The phone does not answer, or has just been plugged in.
        case offline
        /// This machine's user may not open the USB device.
        case noPermissions
        /// The phone is at its boot loader, in recovery, or takes an update.
        case otherMode(String)
    }

    package var serial: String
    package var state: State
    /// The phone's model as adb states it, such as `Pixel_8`; `nil` if unknown.
    package var model: String?

    package init(serial: String, state: State, model: String? = nil) {
        self.serial = serial
        self.state = state
        self.model = model
    }

    /// The most devices of one list; more are ignored.
    package static let most = 64

    /// Reads a list, with attributes or without, one device a line. Lines that make no sense are ignored.
    package static func list(in block: [UInt8]) -> [ADBDevice] {
        String(decoding: block, as: UTF8.self).split(separator: "\n").prefix(most).compactMap { Self(line: $0) }
    }

    private init?(line: Substring) {
        guard let end = line.firstIndex(where: { $0 == "\t" || $0 == " " }), end > line.startIndex else { return nil }
        serial = String(line[..<end])
        let rest = line[end...].drop { $0 == "\t" || $0 == " " }
        guard !rest.isEmpty else { return nil }
        let words = rest.split(separator: " ")
        model = words.first { $0.hasPrefix("model:") }.map { String($0.dropFirst(6)) }
        state =
            if rest.hasPrefix("no permissions") {
                .noPermissions
            } else {
                switch words[0] {
                case "device": .ready
                case "unauthorized", "authorizing": .unauthorized
                case "offline", "connecting", "detached": .offline
                default: .otherMode(String(words[0].prefix(32)))
                }
            }
    }
}
