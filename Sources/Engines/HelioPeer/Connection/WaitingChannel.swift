import HelioSCTP

/// A channel opened before the DTLS role decided which stream numbers are this end's to assign.
struct WaitingChannel {
    let name: PeerChannelID
    let description: DataChannelDescription
    /// The stream number, where both ends agreed on it by other means.
    let number: DataChannelID?
}
