import HelioCore
import HelioSTUN

/// One question to a STUN server: how do you see this base?
struct Gathering {
    enum State {
        /// Its turn has not come yet: new questions are paced.
        case waiting
        case asking(STUNTransactionID, [UInt8], Backoff)
        /// Answered; asked again at this instant, so that a translator keeps its binding.
        case answered(again: Instant)
        case failed
    }

    let base: LocalCandidate
    let server: TransportAddress
    var state = State.waiting
    /// Has had its answer, or will get none.
    var isSettled = false
}
