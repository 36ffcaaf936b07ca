internal import HelioAdmission
internal import HelioCore
internal import HelioSession

/// A device wants to come without asking from now on. The person here compares codes and answers.
public struct PairingQuestion: Sendable {
    /// Names a question, to answer it.
    public struct ID: Hashable, Sendable {
        let number: UInt64
    }

    /// What the person here says.
    public enum Answer: Sendable, CaseIterable {
        /// The codes are the same; the device may watch.
        case watch
        /// The codes are the same; the device may watch and drive.
        case control
        /// The codes differ, or the device is not welcome.
        case deny
    }

    /// To answer with.
    public let id: ID
    /// Where the device is.
    public let address: String
    /// What the device calls itself: no proof of anything.
    public let name: String
    /// Six digits in two groups. Only when the device shows the same is nobody in between.
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
