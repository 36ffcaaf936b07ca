/// Metrics in Prometheus' text format, version 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter
        case gauge
    }

    private static let prefix = "heliograph_rendezvous_"

    private(set) var text = ""

    /// Appends a metric without labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        head(name, kind, help)
        text += "\(Self.prefix)\(name) \(value)\n"
    }

    /// Appends a counter with a sample for each reason, in alphabetical order.
    mutating func add(_ name: String, _ help: String, byReason counts: [String: Int]) {
        head(name, .counter, help)
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
            text += "\(Self.prefix)\(name){reason=\"\(reason)\"} \(count)\n"
        }
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(Self.prefix)\(name) \(help)\n# TYPE \(Self.prefix)\(name) \(kind.rawValue)\n"
    }
}
