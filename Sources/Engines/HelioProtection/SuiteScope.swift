/// The media that a suite encrypts (requirement row 34). All other media are encrypted with AES-GCM.
package struct SuiteScope: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Video RTP and RTCP in both directions, including the viewer's RTCP reports on sound.
    package static let video = SuiteScope(rawValue: 1)
    /// Sound RTP and the host's RTCP for sound.
    package static let audio = SuiteScope(rawValue: 2)
    /// The control channel in both directions, called CMD in the requirements.
    package static let command = SuiteScope(rawValue: 4)
    package static let all: SuiteScope = [.video, .audio, .command]

    private static let names: [(scope: SuiteScope, name: String)] = [
        (.video, "video"), (.audio, "audio"), (.command, "cmd"),
    ]

    /// The scope's name, for example `video+audio+cmd`; empty for no media.
    package var name: String {
        Self.names.filter { contains($0.scope) }.map(\.name).joined(separator: "+")
    }

    /// Parses a name; `nil` if a part is unknown, repeated or empty.
    package init?(name: String) {
        self = []
        for part in name.split(separator: "+", omittingEmptySubsequences: false) {
            guard let known = Self.names.first(where: { $0.name == part }), insert(known.scope).inserted else {
                return nil
            }
        }
    }
}
