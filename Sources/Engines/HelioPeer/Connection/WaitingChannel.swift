import HelioSCTP

/// A channel that was opened before the DTLS role told which numbers are this end's to give.
struct WaitingChannel {
    let name: PeerChannelID
    let description: DataChannelDescription
    /// The stream number, where both ends agreed on it by other means.
    let number: DataChannelID?
}
