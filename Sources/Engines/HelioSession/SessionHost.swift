package import HelioAdmission
package import HelioCore
package import HelioProtection

/// The services of a host for one viewer's session.
package protocol SessionHost: AnyObject {
    var crypto: any CryptoProvider { get }
    var random: any RandomNumberGenerator & Sendable { get set }
    var desk: AdmissionDesk { get set }
    var pairing: PairingDesk { get set }
    /// The host's name, for paired devices.
    var name: String { get }
    /// The ports for viewers' reports and input, which viewers get in SETUP.
    var mediaPort: UInt16 { get }
    var controlPort: UInt16 { get }
    /// True if viewers may drive at all.
    var allowsControl: Bool { get }
    var hasRoomForDevice: Bool { get }
    /// The name of the host's clipboard: see `ClipboardAccess.place`; `nil` if it has none.
    var clipboardPlace: String? { get }
    /// True if files may be sent to viewers, and received from them.
    var takesPartInFiles: Bool { get }
    /// The ceiling of the bitrate for a viewer.
    var agreedBitrate: Bitrate { get }
    /// The terms of the stream for a viewer, beside its codec and picture.
    func terms(for session: SourceSession) -> StreamTerms

    /// The rate that the path to an address is known to carry; `nil` if it is unknown.
    func knownBitrate(to address: IPAddress?, now: Instant) -> Bitrate?
    /// Makes an SSRC that no viewer has.
    func makeSSRC() -> SSRC
    func makeNonce() -> [UInt8]
    /// Makes the offer to a viewer; `nil` if no agreement serves it together with the others.
    func makeOffer(for session: SourceSession, taking capabilities: StreamCapabilities, now: Instant) -> StreamOffer?
    /// Negotiates the suite on a connection: checks the viewer's header, and makes the host's.
    func judgeSuite(
        _ header: String?, clientNonce: [UInt8], hostNonce: [UInt8]
    ) throws(SuiteHandshake.Refusal) -> SuiteHandshake.Outcome
    func add(_ device: PairedDevice)
    func count(_ drop: HostDrop)
}
