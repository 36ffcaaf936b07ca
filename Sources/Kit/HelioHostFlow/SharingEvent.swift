public import HelioAppModels

/// What a sharing session tells.
public enum SharingEvent: Sendable, Hashable {
    /// The code that lets the next viewer in has become another.
    case code(String)
    /// Who watches has changed.
    case people
    /// A device wants to be paired, and shows these digits.
    case pairing(question: Int, name: String, digits: String)
    /// A pairing question needs no answer any more.
    case pairingOver(question: Int)
    case monitors([SessionMonitor], selected: String?)
    /// Sharing has ended by itself, for this reason.
    case failed(String)
}
