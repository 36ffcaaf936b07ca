internal import ArgumentParser
private import Foundation

/// Exchanges descriptions through the terminal: the user copies the lines between the two sides.
struct TerminalExchange: DescriptionExchange {
    let input: InputLines

    func give(_ description: SignalledDescription) async throws {
        say(
            description.kind == .offer
                ? "Paste this line at the other side, where 'heliograph webrtc answer' runs:"
                : "Paste this line back at the side that offered:")
        say("")
        say(description.line)
        say("")
    }

    func take(_ kind: SignalledDescription.Kind) async throws -> SignalledDescription {
        say(
            kind == .offer
                ? "Paste the line that 'heliograph webrtc offer' shows at the other side, then press Enter:"
                : "Then paste the line that the other side shows here, and press Enter:")
        while true {
            guard let line = try await input.next(isLong: true) else {
                throw ValidationError("Standard input has ended, and \(kind.name) of the other side is needed.")
            }
            if line.allSatisfy(\.isWhitespace) { continue }
            do {
                return try SignalledDescription(parsing: line, expecting: kind)
            } catch {
                // The user may try again at an interactive terminal.
                guard TerminalQuestion.isPossible else { throw error }
                say("\(error)")
            }
        }
    }
}
