private import HelioCore
internal import HelioViewing

/// The words for the place where a paired host is.
enum WhereaboutsLine {
    static func text(_ place: HostWhereabouts.Place, of host: DeviceBook.Host) -> String {
        let server = host.rendezvous.map(server) ?? "its rendezvous server"
        switch place {
        case .here(let address):
            let isElsewhere = address != Authority.text(host.address, port: host.port)
            return isElsewhere ? "on this network, at \(address)" : "on this network"
        case .online: return "online at \(server)"
        case .away(let time): return "last seen at \(server) \(Self.time(time)) ago"
        case .unknown: return "whereabouts unknown"
        }
    }

    /// Returns a server's host and port, as in NAME@HOST.
    static func server(_ url: String) -> String {
        let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return String(url[scheme...].prefix { $0 != "/" && $0 != "#" })
    }

    /// Formats a length of time in its largest unit: `5 minutes`.
    static func time(_ time: Duration) -> String {
        let seconds = max(1, Int(time.components.seconds))
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        let (length, name) = units.first { seconds >= $0.0 } ?? (1, "second")
        let count = seconds / length
        return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}
