internal import ArgumentParser
private import Foundation
private import Heliograph

/// An offer or an answer for the other side, exchanged as one line of base64. The line contains the JSON of a browser's
/// session description.
struct SignalledDescription: Equatable {
    /// The type of description; the raw value is its name in the JSON.
    enum Kind: String, Codable {
        case offer
        case answer

        var other: Kind { self == .offer ? .answer : .offer }
        /// The type's human-readable name, with an article.
        var name: String { self == .offer ? "an offer" : "an answer" }
    }

    private struct Contents: Codable {
        var type: Kind
        var sdp: String
    }

    /// The longest accepted description, in bytes.
    static let mostBytes = 1 << 20

    var kind: Kind
    var sdp: String

    init(_ kind: Kind, _ sdp: String) {
        self.kind = kind
        self.sdp = sdp
    }

    /// Parses the line, its JSON, or plain SDP, which is assumed to be of the expected type. Throws an error with
    /// advice for the user.
    init(parsing text: String, expecting kind: Kind) throws {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("v=0") {
            // An editor may have removed the carriage returns.
            let lines = text.split(whereSeparator: \.isNewline)
            self.init(kind, lines.map { $0 + "\r\n" }.joined())
            return
        }
        let json = text.hasPrefix("{") ? Data(text.utf8) : Data(base64Encoded: text.filter { !$0.isWhitespace })
        guard let json, let contents = try? JSONDecoder().decode(Contents.self, from: json) else {
            throw ValidationError(
                "That is not \(kind.name), or not the whole of it. Copy the whole line that is shown there.")
        }
        guard contents.type == kind else {
            throw ValidationError(
                "That is \(contents.type.name), and \(kind.name) is needed: one side offers ('heliograph webrtc offer'), "
                    + "the other answers ('heliograph webrtc answer').")
        }
        self.init(kind, contents.sdp)
    }

    var line: String {
        let text = try? Contents(type: kind, sdp: sdp).jsonLine()
        return text.map { Data($0.utf8).base64EncodedString() } ?? ""
    }
}
