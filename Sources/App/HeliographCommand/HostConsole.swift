private import Foundation
private import HelioGround
private import HelioTerminal
internal import Heliograph
private import Synchronization

/// Reads the keyboard at the sharing machine's terminal: single-key commands, and answers to pairing requests.
final class HostConsole: Sendable {
    /// A command from a key press; `answer` and `answerFiles` reply to a question on the screen.
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
        var asked = KeyedQuestion<PairingQuestion>(readingTime: FileOffers.readingTime)
        /// True after the first of the two key presses that end sharing.
        var isLeaving = false
    }

    /// The maximum number of queued commands: more than the user types while one is executed.
    private static let commandsWaiting = 64

    /// The user's commands, in order.
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

    /// Asks whether a device may be paired. Keys typed before the question are discarded, and keys typed before the
    /// user can have read it are no answer (`KeyedQuestion`).
    func ask(_ question: PairingQuestion) {
        state.withLock { state in
            state.keys?.drain()
            say("")
            if state.asked.ask(question, now: MonotonicClock.now) { show(question) } else { announce(question) }
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
            guard let question = state.asked.question, question.id == id else { return }
            state.asked.withdraw()
            say("'\(question.name)' at \(question.address) no longer asks.")
        }
    }

    private func read() {
        // The lock is held while reading, so that keys typed before a question are never taken as its answer.
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

    /// Queues a command. If the queue is full, returns false, and asks the user to press the key again.
    @discardableResult
    private func give(_ command: Command) -> Bool {
        guard case .dropped = given.yield(command) else { return true }
        say("Not taken: too much at once. Press it again.")
        return false
    }

    private func answer(_ key: UInt8, _ state: inout State) {
        let now = MonotonicClock.now
        if key == UInt8(ascii: "c"), let question = state.asked.show(now: now) { return show(question) }
        switch state.asked.meaning(now: now) {
        case .nothing:
            if (0x21..<0x7F).contains(key) { say("'\(UnicodeScalar(key))' does nothing here: ? shows the keys.") }
        case .forAnother(let question): announce(question)
        case .tooSoon(let question):
            say(
                "Not answered: '\(question.name)' asked only just. Compare the digits, then press it again.")
        case .answer(let question): answer(question, by: key, &state)
        }
    }

    private func answer(_ question: PairingQuestion, by key: UInt8, _ state: inout State) {
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
        state.asked.close()
        say(sentence)
    }
}
