import HelioCore

/// The state before a restart that the peer has not answered yet, kept because the offer may be rolled back.
struct RestartOrigin {
    let session: ICESession
    let state: ICEState
    let tieBreaker: UInt64
    /// The addresses of the candidates signalled with the session's credentials.
    let told: [TransportAddress]
}
