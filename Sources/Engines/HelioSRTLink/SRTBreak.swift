/// Why there is no connection any more, or none yet; another try follows.
package enum SRTBreak: Sendable, Hashable {
    /// The host's name is not known.
    case unresolved
    /// Nobody answers.
    case unreachable
    /// The other end lets nobody in at the moment; with libsrt's reason.
    case busy(Int)
    /// The other end has ended the connection, or has not been heard of for too long.
    case lost
    /// The system or the library failed; with libsrt's error.
    case failed(Int)

    /// What is wrong, for a person.
    package var message: String {
        switch self {
        case .unresolved: "The SRT server's name is not known."
        case .unreachable: "The SRT server does not answer."
        case .busy(let code): "The SRT server lets nobody in at the moment (reason \(code))."
        case .lost: "The SRT connection is lost."
        case .failed(let code): "The SRT connection failed (error \(code))."
        }
    }
}
