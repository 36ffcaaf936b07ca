package import HelioAdmission
package import HelioCore
package import HelioMedia
package import HelioProtection

/// An event at a host that its person, its app or its encoder has to know.
package enum HostEvent: Sendable {
    /// The link was used: this is the secret of the next one.
    case linkReplaced(secret: SecretBytes)
    case refused(address: String, AdmissionDesk.Refusal)
    /// A viewer watches; `device` is the name of a paired one.
    case joined(ConnectionID, address: String, device: String?)
    case left(ConnectionID, address: String, device: String?, reason: String)
    /// The host's person is to compare codes and to answer.
    case pairingAsked(PairingDesk.Question)
    /// The question is void: nobody waits for its answer any more.
    case pairingOver(ConnectionID)
    case pairingRefused(address: String, PairingDesk.Refusal)
    /// A device was paired. To be kept: it may come without asking from now on.
    case paired(PairedDevice, address: String)
    /// The encryption of a viewer that was let in, where one of the ends chose a suite.
    case suite(SuiteAgreement, address: String)
    /// A viewer's media go by another transport from now on; `device` is the name of a paired one.
    case transport(ConnectionID, address: String, device: String?, StreamTransport, TransportReason)
    /// Watching has begun or ended: capture runs only while somebody watches.
    case watched(Bool)
    /// The sound that is wanted has changed; origins that are not named are wanted by nobody.
    case soundWanted([SoundOrigin: SoundDemand])
    /// A viewer's microphone is heard from now on, or no more; `device` is the name of a paired one.
    case speaking(ConnectionID, address: String, device: String?, Bool)
    case keyframeNeeded(reason: String, of: EncodingID)
    /// A repair picture is to be coded for viewers that have lost frames; `since` is the index of the last frame that
    /// all of them have whole. An encoder that has none gives a keyframe.
    case repairNeeded(since: UInt64, reason: String, of: EncodingID)
    /// The bitrate that the slowest viewer's path carries (row 17), within the agreed one; seldom enough for any
    /// encoder. Viewers that are far slower than others don't count.
    case bitrate(Bitrate)
    /// A second encode of this bitrate is wanted, for viewers that are far slower than others; `nil`: none any more.
    case second(Bitrate?)
    /// What an encode's viewers want to keep where its bitrate does not carry all: the size, as of text, or the pictures
    /// a second, as of motion; `nil`: what is shown decides.
    case prefers(ContentKind?, of: EncodingID)
    /// The present viewers' agreement has changed: it is to be encoded, and then told by `.format`.
    case agreed(StreamAgreement)
}
