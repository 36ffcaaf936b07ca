package import HelioSDP

/// A description made by ``Negotiation``. It is immutable, as only unmodified descriptions may be passed to `setLocal`
/// (RFC 8829 section 5.4).
package struct LocalDescription: Sendable {
    package let session: SessionDescription
    let plan: Plan
    let revision: UInt64

    enum Plan: Sendable {
        case offer(OfferPlan)
        case answer(AnswerPlan)
    }
}
