public import HelioAppModels

/// A change while a screen is shared that the host's menu or questions have to show.
public enum SharingEvent: Sendable, Hashable {
    /// A new code admits the next viewer.
    case code(String)
    /// The viewers, or the driver, have changed.
    case people
    /// A device asks to be paired, and shows these digits.
    case pairing(question: Int, name: String, digits: String)
    /// A pairing question is obsolete, and needs no answer.
    case pairingOver(question: Int)
    /// A viewer offers files; `what` names them. The user's answer is passed to `HostSharing.answerFiles`.
    case files(question: Int, name: String, what: String)
    /// An offer of files is obsolete, or was answered.
    case filesOver(question: Int)
    /// A sentence for the user, such as a refused viewer or the start of a recording; sharing continues.
    case note(String)
    case monitors([SessionMonitor], selected: String?)
    /// Sharing has ended with an error, for this reason.
    case failed(String)
}
