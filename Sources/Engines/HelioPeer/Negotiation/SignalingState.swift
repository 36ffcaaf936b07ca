/// The state of an exchange of descriptions (RFC 8829 section 3.2). There are no provisional answers here.
package enum SignalingState: String, Sendable {
    case stable
    case haveLocalOffer = "have-local-offer"
    case haveRemoteOffer = "have-remote-offer"
}
