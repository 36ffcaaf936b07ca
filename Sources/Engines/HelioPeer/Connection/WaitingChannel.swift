import HelioSCTP

/// A data channel opened before the DTLS role was known; the role decides whether this end assigns even or odd stream
/// numbers.
struct WaitingChannel {
    let name: PeerChannelID
    let description: DataChannelDescription
    /// The stream number of a channel that the app negotiated itself; `nil` if the number is to be assigned.
    let number: DataChannelID?
}
