import HelioCore
import HelioSTUN

/// One Binding request to a STUN server: the address that it sees for this base.
struct Gathering {
    enum State {
        /// Its turn has not come yet: new requests are paced.
        case waiting
        case asking(STUNTransactionID, [UInt8], Backoff)
        /// Answered; requested again at this instant, so that a NAT keeps its binding.
        case answered(again: Instant)
        case failed
    }

    let base: LocalCandidate
    let server: TransportAddress
    var state = State.waiting
    /// True once it has had its answer, or will get none.
    var isSettled = false
}
