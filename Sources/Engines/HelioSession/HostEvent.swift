package import HelioAdmission
package import HelioCore
package import HelioMedia
package import HelioProtection

/// An event at a host for its user, its app or its encoder.
package enum HostEvent: Sendable {
    /// The link was used up; `secret` is the secret of the link that replaces it.
    case linkReplaced(secret: SecretBytes)
    case refused(address: String, AdmissionDesk.Refusal)
    /// A viewer has begun to watch. In all events, `device` is the viewer's `HostViewer.name`.
    case joined(ConnectionID, address: String, device: String?)
    /// A paired device has begun to watch; `joined` is emitted as well.
    case visited(DeviceID, address: String)
    case left(ConnectionID, address: String, device: String?, reason: String)
    /// A viewer asks to be paired: the host's user must compare the codes and answer.
    case pairingAsked(PairingDesk.Question)
    /// The pairing of this connection is over: an answer to its question is ignored from now on.
    case pairingOver(ConnectionID)
    case pairingRefused(address: String, PairingDesk.Refusal)
    /// A device was paired. The app must store it; from now on the device is admitted without confirmation.
    case paired(PairedDevice, address: String)
    /// The encryption of an admitted viewer, if one of the ends chose a suite.
    case suite(SuiteAgreement, address: String)
    /// A viewer's media have changed to this transport.
    case transport(ConnectionID, address: String, device: String?, StreamTransport, TransportReason)
    /// Watching has begun (true) or ended (false): capture runs only while somebody watches.
    case watched(Bool)
    /// The demand for sound has changed; sound of origins that are not listed is not needed.
    case soundWanted([SoundOrigin: SoundDemand])
    /// A viewer has begun (true) or stopped (false) speaking.
    case speaking(ConnectionID, address: String, device: String?, Bool)
    case keyframeNeeded(reason: String, of: EncodingID)
    /// A repair picture is to be encoded for viewers that have lost frames. `since` is the index of the last frame that
    /// all of these viewers have completely. An encoder without repair pictures encodes a keyframe.
    case repairNeeded(since: UInt64, reason: String, of: EncodingID)
    /// The bitrate to encode at: that of the slowest viewer's path, limited to the agreed bitrate; viewers that are far
    /// slower than others don't count. It changes rarely enough for any encoder.
    case bitrate(Bitrate)
    /// A second encoding at this bitrate is needed, for viewers that are far slower than others; `nil`: it is no longer
    /// needed.
    case second(Bitrate?)
    /// The preference of an encoding's viewers if its bitrate is too low for full size and full frame rate: to keep the
    /// size, as for text, or the frame rate, as for motion; `nil`: the detected kind of content decides.
    case prefers(ContentKind?, of: EncodingID)
    /// The agreement with the present viewers has changed: encode its format, then pass the input `.format` to the
    /// host.
    case agreed(StreamAgreement)
}
