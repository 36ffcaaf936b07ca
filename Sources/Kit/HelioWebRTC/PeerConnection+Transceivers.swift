internal import HelioPeer

extension PeerEngine {
    /// The transceiver of an app's track; `nil` if the track is gone.
    func transceiver(numbered number: Int) -> Transceiver.ID? {
        transceivers.first { $0.id.rawValue == number }?.id
    }
}
