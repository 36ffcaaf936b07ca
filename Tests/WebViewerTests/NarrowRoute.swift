import HelioCore
import HelioSimulation
import HelioTestPrograms

/// A narrow path for the media between a host and a page: the middleman of their signalling rewrites the candidates so
/// that both see only the path. Ends with this object.
///
/// The page sends its checks to the path, and the host answers to their source, which is the path's other end.
final class NarrowRoute {
    /// The discard port (RFC 863), at which nobody answers.
    private static let nowhere: UInt16 = 9

    let path: NarrowPath
    private let middleman: Middleman

    init(_ conditions: LinkConditions, to desktop: WebDesktop) throws {
        let path = try NarrowPath(conditions)
        self.path = path
        middleman = try Middleman(
            to: desktop.webPort,
            viewer: { text in NarrowRoute.replacePorts(in: text) { _, _ in NarrowRoute.nowhere } },
            host: { text in
                NarrowRoute.replacePorts(in: text) { isUDP, port in
                    isUDP && path.lead(to: port) ? path.port : NarrowRoute.nowhere
                }
            })
    }

    /// The page's address for a given code.
    func link(code: String) -> String { "http://127.0.0.1:\(middleman.port)/#\(code)" }

    /// Replaces the ports of candidates in a message, trickled or in a description (RFC 8839, section 5.1).
    private static func replacePorts(in message: String, _ other: (_ isUDP: Bool, _ port: UInt16) -> UInt16) -> String {
        message.replacing(/(candidate:[^ ]+ [0-9]+ )([A-Za-z]+)( [0-9]+ [^ ]+ )([0-9]+)( typ)/) { match -> String in
            let port = other(match.2.lowercased() == "udp", UInt16(match.4) ?? nowhere)
            return "\(match.1)\(match.2)\(match.3)\(port)\(match.5)"
        }
    }
}
