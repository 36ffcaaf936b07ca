import HelioSCTP

/// A channel that was opened before it was known which numbers are this end's to give.
struct WaitingChannel {
    let name: PeerChannelID
    let description: DataChannelDescription
    /// Where both ends agreed on the number by other means.
    let number: DataChannelID?
}
