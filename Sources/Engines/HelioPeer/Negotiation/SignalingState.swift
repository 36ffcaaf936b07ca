/// The state of an offer/answer exchange (RFC 8829 section 3.2), without the states for provisional answers.
package enum SignalingState: String, Sendable {
    case stable
    case haveLocalOffer = "have-local-offer"
    case haveRemoteOffer = "have-remote-offer"
}
