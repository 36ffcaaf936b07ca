package import HelioAdmission
package import HelioCore
package import HelioProtection

/// The services of a host that one viewer's session uses.
package protocol SessionHost: AnyObject {
    var crypto: any CryptoProvider { get }
    var random: any RandomNumberGenerator & Sendable { get set }
    var desk: AdmissionDesk { get set }
    var pairing: PairingDesk { get set }
    /// The host's name for devices that are paired.
    var name: String { get }
    /// The ports that viewers send reports and input to: they are told in SETUP.
    var mediaPort: UInt16 { get }
    var controlPort: UInt16 { get }
    /// True where viewers may drive at all.
    var allowsControl: Bool { get }
    var hasRoomForDevice: Bool { get }
    /// The name of the host's clipboard, see `ClipboardAccess.place`; `nil` where it has none.
    var clipboardPlace: String? { get }
    /// True where files may go to viewers, or come of them.
    var takesPartInFiles: Bool { get }
    /// The ceiling of the bitrate that is sent to a viewer.
    var agreedBitrate: Bitrate { get }
    /// The terms that a viewer is told of the stream beside its codec and picture.
    func terms(for session: SourceSession) -> StreamTerms

    /// The rate that the path to an address is known to carry; `nil` where nothing is known of it.
    func knownBitrate(to address: IPAddress?, now: Instant) -> Bitrate?
    /// Makes an SSRC that no viewer has.
    func makeSSRC() -> SSRC
    func makeNonce() -> [UInt8]
    /// Makes the offer to a viewer; `nil` where one that takes no more than this can't be served together with the
    /// others.
    func makeOffer(for session: SourceSession, taking capabilities: StreamCapabilities, now: Instant) -> StreamOffer?
    /// Negotiates the suite on a connection: judges the viewer's header, and makes the host's.
    func judgeSuite(
        _ header: String?, clientNonce: [UInt8], hostNonce: [UInt8]
    ) throws(SuiteHandshake.Refusal) -> SuiteHandshake.Outcome
    func add(_ device: PairedDevice)
    func count(_ drop: HostDrop)
}
