import HelioCore

/// The state before a restart that the peer has not agreed to yet: an offer may be taken back.
struct RestartOrigin {
    let session: ICESession
    let state: ICEState
    let tieBreaker: UInt64
    /// The candidates that were signalled with its credentials.
    let told: [TransportAddress]
}
