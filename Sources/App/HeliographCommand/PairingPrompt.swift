internal import Heliograph

/// Asks the person at the sharing machine whether a device is to be paired.
enum PairingPrompt {
    static func ask(_ question: PairingQuestion) async -> PairingQuestion.Answer {
        say("")
        say("'\(question.name)' at \(question.address) wants to come without a link from now on.")
        say("It must show this code:   \(question.code)")
        let answer = await TerminalQuestion.ask(
            "Let it in? y = watch and control, w = only watch, n = no, or where the codes differ. [y/w/N]")
        switch answer {
        case "y", "yes": return .control
        case "w", "watch": return .watch
        default: return .deny
        }
    }
}
