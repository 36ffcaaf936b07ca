internal import HelioPeer

extension PeerEngine {
    /// The transceiver behind an app's track; `nil` where there is none any more.
    func transceiver(numbered number: Int) -> Transceiver.ID? {
        transceivers.first { $0.id.rawValue == number }?.id
    }
}
