package import HelioAdmission
package import HelioCore
package import HelioMedia
package import HelioProtection

/// An event at a host for its user, its app or its encoder.
package enum HostEvent: Sendable {
    /// The link was used: this is the secret of the next one.
    case linkReplaced(secret: SecretBytes)
    case refused(address: String, AdmissionDesk.Refusal)
    /// A viewer has begun to watch; `device` is its `HostViewer.name`, as in the events below.
    case joined(ConnectionID, address: String, device: String?)
    /// A paired device has begun to watch, which `joined` reports, too.
    case visited(DeviceID, address: String)
    case left(ConnectionID, address: String, device: String?, reason: String)
    /// The host's user is to compare codes and to answer.
    case pairingAsked(PairingDesk.Question)
    /// The question is void: its answer no longer matters.
    case pairingOver(ConnectionID)
    case pairingRefused(address: String, PairingDesk.Refusal)
    /// A device was paired. It is to be stored, as it is admitted without a question from now on.
    case paired(PairedDevice, address: String)
    /// The encryption of an admitted viewer, if one of the ends chose a suite.
    case suite(SuiteAgreement, address: String)
    /// A viewer's media have changed to this transport.
    case transport(ConnectionID, address: String, device: String?, StreamTransport, TransportReason)
    /// Watching has begun or ended: capture runs only while somebody watches.
    case watched(Bool)
    /// The sound demand has changed; nobody wants origins that are not listed.
    case soundWanted([SoundOrigin: SoundDemand])
    /// A viewer has begun or stopped speaking.
    case speaking(ConnectionID, address: String, device: String?, Bool)
    case keyframeNeeded(reason: String, of: EncodingID)
    /// A repair picture is to be encoded for viewers that have lost frames; `since` is the index of the last frame that
    /// all of them have complete. An encoder without repair pictures encodes a keyframe.
    case repairNeeded(since: UInt64, reason: String, of: EncodingID)
    /// The bitrate of the slowest viewer's path, at most the agreed one; it changes seldom enough for any
    /// encoder. Viewers that are far slower than others don't count.
    case bitrate(Bitrate)
    /// A second encode with this bitrate is wanted, for viewers that are far slower than others; `nil`: it is no longer
    /// wanted.
    case second(Bitrate?)
    /// The preference of an encode's viewers if its bitrate is too low for everything: to preserve the size, as for
    /// text, or the frame rate, as for motion; `nil`: the detected kind of content decides.
    case prefers(ContentKind?, of: EncodingID)
    /// The present viewers' agreement has changed: the agreed format has to be encoded, and `.format` confirms that to
    /// the host.
    case agreed(StreamAgreement)
}
