/// The state of the service, as `systemctl show` tells it (systemctl(1)).
package struct ServiceStatus: Sendable, Equatable {
    /// loaded, not-found, error, masked or a later kind.
    package var load = ""
    /// active, inactive, failed, activating, deactivating or a later kind.
    package var activity = ""
    /// enabled, disabled, masked or another kind of the unit's file.
    package var file = ""
    /// The number of times that systemd has started it again.
    package var restarts = 0
    /// The result of its last run: success, exit-code, signal, timeout or another kind.
    package var result = ""
    /// The time since which it is in its state, as text; empty if it never ran.
    package var since = ""

    package init() {}

    /// The properties that the initialiser reads.
    package static let properties = [
        "LoadState", "ActiveState", "UnitFileState", "NRestarts", "Result", "StateChangeTimestamp",
    ]

    /// Parses the output of `systemctl show`, a property in each line.
    package init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let sign = line.firstIndex(of: "=") else { continue }
            let value = String(line[line.index(after: sign)...])
            switch line[..<sign] {
            case "LoadState": load = value
            case "ActiveState": activity = value
            case "UnitFileState": file = value
            case "NRestarts": restarts = Int(value) ?? 0
            case "Result": result = value
            case "StateChangeTimestamp": since = value
            default: break
            }
        }
    }

    package var isInstalled: Bool { load == "loaded" }
    package var isRunning: Bool { activity == "active" }
    package var startsByItself: Bool { file == "enabled" }

    /// The state as sentences for the user.
    package var sentences: [String] {
        guard isInstalled else {
            return [load == "masked" ? "The service is masked." : "The service is not installed."]
        }
        let time = since.isEmpty ? "" : " since \(since)"
        var lines: [String]
        switch activity {
        case "active": lines = ["The service runs\(time)."]
        case "failed": lines = ["The service has failed\(time) (\(result))."]
        case "activating": lines = ["The service is starting\(time)."]
        default: lines = ["The service does not run."]
        }
        lines.append(startsByItself ? "It starts by itself." : "It does not start by itself: it is not enabled.")
        if restarts > 0 { lines.append("It was started again \(restarts) times after it had ended.") }
        return lines
    }
}
