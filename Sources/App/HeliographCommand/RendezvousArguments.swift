internal import ArgumentParser
private import Foundation
internal import HelioCore

/// The option of `heliograph share` for the rendezvous server, by which viewers on all networks reach this machine.
struct RendezvousArguments: ParsableArguments {
    static let variable = "HELIOGRAPH_RENDEZVOUS"

    @Option(
        help: ArgumentHelp(
            """
            Be reached from any network by this rendezvous server: https://HOST[:PORT][/PATH], with #FINGERPRINT \
            behind it where 'heliograph rendezvous' says so; 'off': by none. Or set \(variable).
            """, valueName: "url"))
    var rendezvous: String?

    /// The server's address; `nil` for no server.
    var url: String? {
        let text = rendezvous ?? ProcessInfo.processInfo.environment[Self.variable] ?? ""
        return text.isEmpty || text.lowercased() == "off" ? nil : text
    }

    /// Returns the line about a server that can be reached, or no longer.
    ///
    /// - Parameter name: the name of this machine, as paired devices know it.
    static func line(_ url: String, _ failure: HelioError?, name: String) -> String {
        if let failure { return "\(failure.sentence) Sharing goes on without it, and it is tried again." }
        let place = WhereaboutsLine.server(url)
        return "Reached from any network by \(url): paired devices watch it with 'heliograph view \(name)@\(place)'."
    }
}
