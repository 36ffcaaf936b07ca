private import Foundation
internal import Heliograph
private import Synchronization

/// The keyboard input at the sharing machine's terminal: single-key commands, and answers to devices that ask to be
/// paired.
final class HostConsole: Sendable {
    /// A command that a typed key gives; `answer` and `answerFiles` reply to a question on the screen.
    enum Command: Sendable {
        case takeControl
        case giveControl
        case list
        case nextMonitor
        case toggleSound
        case toggleHearing
        case toggleClipboard
        case showLink
        case help
        case stop
        case answerFiles(accepts: Bool)
        case answer(PairingQuestion.ID, PairingQuestion.Answer)
    }

    private struct State {
        var keys: TerminalKeys?
        var question: PairingQuestion?
        /// True once a question has vanished unanswered: typed keys may be meant for it, until the person asks to see
        /// the next one.
        var isForAnother = false
        /// True after the first of the two key presses that end sharing.
        var isLeaving = false
    }

    /// The most queued commands: more than a person types while one is executed.
    private static let commandsWaiting = 64

    /// The person's commands, in order.
    let commands: AsyncStream<Command>
    private let given: AsyncStream<Command>.Continuation
    private let state = Mutex(State())

    /// Opens the terminal; `nil` if there is no interactive terminal.
    init?() {
        (commands, given) = AsyncStream.makeStream(
            of: Command.self, bufferingPolicy: .bufferingOldest(Self.commandsWaiting))
        guard let keys = TerminalKeys({ [weak self] in self?.read() }) else { return nil }
        state.withLock { $0.keys = keys }
    }

    /// Restores the terminal's mode, and ends the commands.
    func close() {
        state.withLock { $0.keys }?.close()
        given.finish()
    }

    /// Asks whether a device may be paired. Only keys typed from now on count as an answer; after a question that
    /// vanished unanswered, only keys typed after the person has asked for the new code.
    func ask(_ question: PairingQuestion) {
        state.withLock { state in
            if state.question != nil { state.isForAnother = true }
            state.question = question
            state.keys?.drain()
            say("")
            if state.isForAnother { return announce(question) }
            show(question)
        }
    }

    private func announce(_ question: PairingQuestion) {
        say(
            "Not the device that asked before: another device asks now, '\(question.name)' at \(question.address). "
                + "Press c to see its code.")
    }

    private func show(_ question: PairingQuestion) {
        say("'\(question.name)' at \(question.address) wants to come without a link from now on.")
        say("It must show this code:   \(question.code)")
        say(
            "The same digits on '\(question.name)'? Press y to let it watch and control, w to let it only watch, n to "
                + "refuse. [y/w/n]")
    }

    /// Withdraws an obsolete question.
    func withdraw(_ id: PairingQuestion.ID) {
        state.withLock { state in
            guard let question = state.question, question.id == id else { return }
            state.question = nil
            state.isForAnother = true
            say("'\(question.name)' at \(question.address) no longer asks.")
        }
    }

    private func read() {
        // The lock is held so that keys typed before a question are never read after it.
        state.withLock { state in
            guard let keys = state.keys else { return }
            guard let typed = keys.read() else { return given.finish() }
            for key in typed { take(key, &state) }
        }
    }

    private func take(_ key: UInt8, _ state: inout State) {
        let isLeaving = state.isLeaving
        state.isLeaving = false
        switch key {
        case UInt8(ascii: "q"):
            if isLeaving {
                give(.stop)
            } else {
                state.isLeaving = true
                say("Press q again to stop sharing.")
            }
        case UInt8(ascii: "o"): give(.showLink)
        case UInt8(ascii: "t"): give(.takeControl)
        case UInt8(ascii: "g"): give(.giveControl)
        case UInt8(ascii: "l"): give(.list)
        case UInt8(ascii: "m"): give(.nextMonitor)
        case UInt8(ascii: "s"): give(.toggleSound)
        case UInt8(ascii: "v"): give(.toggleHearing)
        case UInt8(ascii: "p"): give(.toggleClipboard)
        case UInt8(ascii: "f"): give(.answerFiles(accepts: true))
        case UInt8(ascii: "r"): give(.answerFiles(accepts: false))
        case UInt8(ascii: "?"), UInt8(ascii: "h"): give(.help)
        default: answer(key, &state)
        }
    }

    /// Queues a command. If the queue is full, returns false, and asks the person to press the key again.
    @discardableResult
    private func give(_ command: Command) -> Bool {
        guard case .dropped = given.yield(command) else { return true }
        say("Not taken: too much at once. Press it again.")
        return false
    }

    private func answer(_ key: UInt8, _ state: inout State) {
        guard let question = state.question else {
            if (0x21..<0x7F).contains(key) { say("'\(UnicodeScalar(key))' does nothing here: ? shows the keys.") }
            return
        }
        if state.isForAnother {
            guard key == UInt8(ascii: "c") else { return announce(question) }
            state.isForAnother = false
            return show(question)
        }
        let wish: PairingQuestion.Answer
        let sentence: String
        switch key {
        case UInt8(ascii: "y"):
            wish = .control
            sentence = "'\(question.name)' may watch and control, once it is confirmed there."
        case UInt8(ascii: "w"):
            wish = .watch
            sentence = "'\(question.name)' may watch, once it is confirmed there."
        case UInt8(ascii: "n"):
            wish = .deny
            sentence = "'\(question.name)' is refused."
        default: return say("Not answered: press y, w or n.")
        }
        guard give(.answer(question.id, wish)) else { return }
        state.question = nil
        say(sentence)
    }
}
