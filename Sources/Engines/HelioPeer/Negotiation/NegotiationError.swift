/// An error of making or setting a description; the call has then changed nothing. `section` is an index from 0. No
/// error contains text from the peer except names of known attributes.
package enum NegotiationError: Error, Hashable, Sendable {
    /// The call is not allowed in this state; see the diagram of ``Negotiation``.
    case wrongState(SignalingState)
    /// The state has changed since the description was made; make a new description.
    case stale
    case noSuchTransceiver
    /// The configuration has no codec of this kind.
    case noLocalCodec
    /// The number of transceivers or sections would exceed a description's limit.
    case tooMany

    // Errors in the peer's description.

    /// The number of sections is wrong: an answer needs as many as its offer, an offer at least as many as the previous
    /// description (RFC 3264 sections 6 and 8).
    case sectionCount(expected: Int, found: Int)
    /// The kind or the `mid` of a section in use has changed.
    case sectionChanged(section: Int)
    case duplicateMediaID(section: Int)
    /// `a=group:BUNDLE` contains a `mid` that no section has.
    case unknownMediaIDInBundle
    /// A required attribute is missing or malformed, for example `ice-ufrag`.
    case missing(attribute: String, section: Int)
    /// The section has no fingerprint with SHA-256 or a longer hash.
    case weakFingerprint(section: Int)
    /// `a=setup` conflicts with the other end's value, for example `actpass` in an answer.
    case setupConflict(section: Int)
    /// A payload type is used for two codecs within a bundle (RFC 9143 section 7.1.3).
    case payloadTypeCollision(section: Int, payloadType: UInt8)
    /// A payload type in use is assigned to another codec (RFC 3264 section 8.3.2).
    case payloadTypeChanged(section: Int, payloadType: UInt8)
    /// An ID is used for two header extensions within a section.
    case extensionCollision(section: Int, id: UInt8)
    /// The answer accepts a section that was not offered.
    case notOffered(section: Int)
    /// An accepted section of the answer has no codec of the offer.
    case noCommonCodec(section: Int)
    /// The answer excludes a section from the bundle, which would require a second transport.
    case notBundled(section: Int)
    /// The answer does not multiplex RTCP with RTP.
    case notMultiplexed(section: Int)

    // Errors in the local transport.

    /// The peer restarts ICE, so the answer needs a new username fragment and password.
    case restartNeedsNewCredentials
    /// The answer has new credentials although the offer does not restart ICE.
    case credentialsChangedWithoutRestart
    /// No fingerprint of the local certificate was given.
    case noLocalFingerprint
}

extension NegotiationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongState(let state): "not possible in the state \(state.rawValue)"
        case .stale: "the description was made before something changed; make a new one"
        case .noSuchTransceiver: "there is no such transceiver, or it was stopped"
        case .noLocalCodec: "no codec of this kind is configured"
        case .tooMany: "more media sections than a description holds"
        case .sectionCount(let expected, let found):
            "the description has \(found) media sections where \(expected) are needed"
        case .sectionChanged(let section): "media section \(section) is another one than before"
        case .duplicateMediaID(let section): "media section \(section) has the a=mid of another"
        case .unknownMediaIDInBundle: "a=group:BUNDLE names a media section that isn't there"
        case .missing(let attribute, let section): "media section \(section) has no usable a=\(attribute)"
        case .weakFingerprint(let section):
            "media section \(section) has no a=fingerprint of SHA-256, SHA-384 or SHA-512"
        case .setupConflict(let section): "media section \(section) has an a=setup that leaves nobody to begin"
        case .payloadTypeCollision(let section, let type):
            "media section \(section) gives payload type \(type) a second meaning within its bundle"
        case .payloadTypeChanged(let section, let type):
            "media section \(section) gives payload type \(type) another meaning than was agreed on"
        case .extensionCollision(let section, let id):
            "media section \(section) gives header extension \(id) a second meaning"
        case .notOffered(let section): "the answer takes up media section \(section), which was not offered"
        case .noCommonCodec(let section): "the answer has no codec of the offer in media section \(section)"
        case .notBundled(let section): "the answer wants a transport of its own for media section \(section)"
        case .notMultiplexed(let section): "the answer has no a=rtcp-mux in media section \(section)"
        case .restartNeedsNewCredentials: "the peer restarts ICE, so the answer needs new ICE credentials"
        case .credentialsChangedWithoutRestart: "an answer can't change ICE credentials where the offer did not"
        case .noLocalFingerprint: "no fingerprint of the local certificate was given"
        }
    }
}
