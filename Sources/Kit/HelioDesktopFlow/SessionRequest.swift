private import Foundation
private import HelioSharing
package import HelioViewerFlow

/// The request of the app to the process that shows a session, one line of JSON on standard input, so that no secret is
/// in an argument. The process leaves the host when standard input ends.
package struct SessionRequest: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The link or the address that the user gave; the address of a host that announces itself.
    package var target: String
    /// The name by which the host announces itself; `nil` for a host that does not.
    package var announced: String?
    /// The code that the host shows.
    package var code: String?
    package var playsSound = true
    package var waitsForSound = false
    package var typesText = false
    package var watchesOnly = false

    package init(target: String, announced: String? = nil, code: String? = nil, _ options: SessionOptions) {
        self.target = target
        self.announced = announced
        self.code = code
        playsSound = options.playsSound
        waitsForSound = options.waitsForSound
        typesText = options.typesText
        watchesOnly = options.watchesOnly
    }

    /// Reads a line; `nil` if it is no request.
    package init?(line: some StringProtocol) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = read
    }

    package func line() throws -> String { try jsonLine() }

    /// A text without the secrets.
    package var description: String { "request for a session" }
}
