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
    case monitors([SessionMonitor], selected: String?)
    /// Sharing has ended with an error, for this reason.
    case failed(String)
}
