internal import HelioAdmission
internal import HelioCore
internal import HelioSession

/// A question to the user of this machine: a device asks to be paired. The user compares the codes and answers.
public struct PairingQuestion: Sendable {
    /// The identifier of a question, by which it is answered.
    public struct ID: Hashable, Sendable {
        let number: UInt64
    }

    /// The user's answer.
    public enum Answer: Sendable, CaseIterable {
        /// The codes match; the device may watch.
        case watch
        /// The codes match; the device may watch and drive.
        case control
        /// The codes differ, or the user rejects the device: it is not paired.
        case deny
    }

    /// The question's identifier, for ``MirrorSource/answer(_:_:)``.
    public let id: ID
    /// The network address that the device connected from.
    public let address: String
    /// The name that the device gave itself, which is not authenticated.
    public let name: String
    /// The code to compare: six digits in two groups. If the device shows the same digits, there is no man in the
    /// middle.
    public let code: String
}

extension PairingQuestion {
    init(_ question: PairingDesk.Question) {
        self.init(
            id: ID(question.connection), address: question.address, name: question.name, code: "\(question.code)")
    }
}

extension PairingQuestion.ID {
    init(_ connection: ConnectionID) { number = connection.rawValue }
    var connection: ConnectionID { ConnectionID(number) }
}

extension PairingQuestion.Answer {
    var forDesk: PairingDesk.Answer {
        switch self {
        case .watch: .watch
        case .control: .control
        case .deny: .deny
        }
    }
}
