import HelioTransferWire

extension FileRefusal {
    /// Returns the human-readable reason why a file or batch did not arrive. `isPeers` is true if the other end sent
    /// the reason.
    func words(isPeers: Bool) -> String {
        switch self {
        case .declined: isPeers ? "the other end does not want it" : "it was declined"
        case .notAllowed: isPeers ? "the other end takes no files" : "no files are taken here"
        case .noSpace: isPeers ? "the other end's disk has no room for it" : "the disk has no room for it"
        case .tooMany: "it has too many files"
        case .badName: "its name can't be used there"
        case .tooLarge: "it is too large"
        case .busy: "another transfer is under way, or many came just before: try it again later"
        case .cancelled: isPeers ? "the other end has stopped it" : "it was stopped"
        case .unreadable: "it can't be read"
        case .changed: "it was changed while it was sent"
        case .damaged: "what came is not what was sent"
        case .diskFailed: isPeers ? "the other end's disk failed" : "the disk failed"
        case .timedOut: "nothing happened for too long"
        case .broken: "the other end did not keep to what it had said"
        }
    }
}
