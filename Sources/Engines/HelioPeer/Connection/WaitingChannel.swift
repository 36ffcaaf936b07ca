import HelioSCTP

/// A data channel opened before the DTLS role was known, which decides the stream numbers that this end may assign.
struct WaitingChannel {
    let name: PeerChannelID
    let description: DataChannelDescription
    /// The stream number, if both ends agreed on it by other means; `nil` if this end has to assign one.
    let number: DataChannelID?
}
