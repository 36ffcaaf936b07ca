/// An error of making or taking a description. Nothing has changed when one of these is thrown. No error repeats text
/// of the peer's, other than names of known attributes; `section` counts from 0.
package enum NegotiationError: Error, Hashable, Sendable {
    /// The call is not possible in this state; ``Negotiation`` says which are.
    case wrongState(SignalingState)
    /// The description was made before a later change: make a new one.
    case stale
    case noSuchTransceiver
    /// The configuration has no codec of this kind.
    case noLocalCodec
    /// More transceivers or sections than a description holds.
    case tooMany

    // Errors in the peer's description.

    /// The number of sections is wrong: an answer needs as many as the offer, an offer at least as many as before (RFC
    /// 3264 sections 6 and 8).
    case sectionCount(expected: Int, found: Int)
    /// The kind or the `mid` of a section in use has changed.
    case sectionChanged(section: Int)
    case duplicateMediaID(section: Int)
    /// `a=group:BUNDLE` names a section that isn't there.
    case unknownMediaIDInBundle
    /// A required attribute is missing or malformed: `ice-ufrag`, say.
    case missing(attribute: String, section: Int)
    /// No fingerprint of SHA-256 or longer.
    case weakFingerprint(section: Int)
    /// `a=setup` does not fit the other end's: `actpass` in an answer, say.
    case setupConflict(section: Int)
    /// One payload type stands for two codecs within a bundle (RFC 9143 section 7.1.3).
    case payloadTypeCollision(section: Int, payloadType: UInt8)
    /// An agreed payload type stands for another codec now (RFC 3264 section 8.3.2).
    case payloadTypeChanged(section: Int, payloadType: UInt8)
    /// One ID stands for two header extensions within a section.
    case extensionCollision(section: Int, id: UInt8)
    /// An answer accepts a section that was not offered.
    case notOffered(section: Int)
    /// An accepted section of an answer has no codec of the offer.
    case noCommonCodec(section: Int)
    /// An answer needs a transport of its own for a section.
    case notBundled(section: Int)
    /// An answer needs RTCP on a port of its own.
    case notMultiplexed(section: Int)

    // Errors in the local transport.

    /// The peer restarts ICE: the answer needs a new user name fragment and password.
    case restartNeedsNewCredentials
    /// Only an offer, or the answer to one that restarts ICE, can bring new credentials.
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
