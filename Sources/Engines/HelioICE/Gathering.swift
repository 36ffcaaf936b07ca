import HelioCore
import HelioSTUN

/// A Binding request to a STUN server for the server-reflexive address of a base.
struct Gathering {
    enum State {
        /// The request is not sent yet, as new requests are paced.
        case waiting
        case asking(STUNTransactionID, [UInt8], Backoff)
        /// The request was answered. It is repeated at this instant to keep the NAT binding alive.
        case answered(again: Instant)
        case failed
    }

    let base: LocalCandidate
    let server: TransportAddress
    var state = State.waiting
    /// True once the request has been answered, or has failed.
    var isSettled = false
}
