internal import HelioPeer

extension HelioPeer.PeerConnection {
    /// What an app's track stands for; `nil` where there is none any more.
    func transceiver(numbered number: Int) -> Transceiver.ID? {
        transceivers.first { $0.id.rawValue == number }?.id
    }
}
