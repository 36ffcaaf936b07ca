package import HelioAdmission
package import HelioCore
package import HelioProtection

/// The services that a host provides to its viewers' sessions.
package protocol SessionHost: AnyObject {
    var crypto: any CryptoProvider { get }
    var random: any RandomNumberGenerator & Sendable { get set }
    var desk: AdmissionDesk { get set }
    var pairing: PairingDesk { get set }
    /// The host's name, for paired devices.
    var name: String { get }
    /// The place where the host is reached from any network, for paired devices; `nil` if there is none.
    var rendezvous: HostRendezvous? { get }
    /// The addresses by which the host is woken while it sleeps, for paired devices; `nil` if there are none.
    var wake: WakeAddresses? { get }
    /// The UDP ports for viewers' RTCP reports and for input, sent to viewers in SETUP responses.
    var mediaPort: UInt16 { get }
    var controlPort: UInt16 { get }
    /// True if the host's settings let viewers drive.
    var allowsControl: Bool { get }
    var hasRoomForDevice: Bool { get }
    /// The identifier of the host's clipboard (`ClipboardAccess.place`); `nil` if the clipboard has none.
    var clipboardPlace: String? { get }
    /// True if files may be sent to viewers, and received from them.
    var takesPartInFiles: Bool { get }
    /// The agreed maximum bitrate of the stream.
    var agreedBitrate: Bitrate { get }
    /// Returns the stream's frame rate and bitrate for a viewer.
    func terms(for session: SourceSession) -> StreamTerms

    /// Returns the bitrate that the path to an address carried before; `nil` if it is unknown.
    func knownBitrate(to address: IPAddress?, now: Instant) -> Bitrate?
    /// Makes an SSRC that no viewer has.
    func makeSSRC() -> SSRC
    func makeNonce() -> [UInt8]
    /// Makes the offer to a viewer; `nil` if no codec serves this viewer and all others.
    func makeOffer(for session: SourceSession, taking capabilities: StreamCapabilities, now: Instant) -> StreamOffer?
    /// Negotiates the encryption suite of a connection: checks the viewer's header, and makes the host's header.
    func judgeSuite(
        _ header: String?, clientNonce: [UInt8], hostNonce: [UInt8]
    ) throws(SuiteHandshake.Refusal) -> SuiteHandshake.Outcome
    func add(_ device: PairedDevice)
    func count(_ drop: HostDrop)
}
