package import HelioAdmission
package import HelioCore
package import HelioProtection

/// What happens at a host that its person, its app or its encoder has to know.
package enum HostEvent: Sendable {
    /// The link was used: this is the secret of the next one.
    case linkReplaced(secret: SecretBytes)
    case refused(address: String, AdmissionDesk.Refusal)
    /// Somebody watches; `device` is the name of a paired one.
    case joined(ConnectionID, address: String, device: String?)
    case left(ConnectionID, address: String, device: String?, reason: String)
    /// The host's person is to compare codes and to answer.
    case pairingAsked(PairingDesk.Question)
    /// Nobody waits for that answer any more.
    case pairingOver(ConnectionID)
    case pairingRefused(address: String, PairingDesk.Refusal)
    /// To be kept: the device may come without asking from now on.
    case paired(PairedDevice, address: String)
    /// What a viewer that was let in is protected by, where one of the ends chose a suite.
    case suite(SuiteAgreement, address: String)
    /// Whether anybody watches: capture runs only while somebody does.
    case watched(Bool)
    case keyframeNeeded(reason: String)
    /// What the slowest viewer's path carries (row 17), within what was agreed on; seldom enough for any encoder.
    case bitrate(Bitrate)
    /// The viewers that there are now agree on this: it is to be coded, and then told by `.format`.
    case agreed(StreamAgreement)
}
