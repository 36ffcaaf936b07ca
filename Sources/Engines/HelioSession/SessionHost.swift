package import HelioAdmission
package import HelioCore
package import HelioProtection

/// What one viewer's session asks of the host that it belongs to.
package protocol SessionHost: AnyObject {
    var crypto: any CryptoProvider { get }
    var random: any RandomNumberGenerator & Sendable { get set }
    var desk: AdmissionDesk { get set }
    var pairing: PairingDesk { get set }
    /// What the host calls itself to devices that are paired.
    var name: String { get }
    /// Where viewers send reports to, and input: they are told in SETUP.
    var mediaPort: UInt16 { get }
    var controlPort: UInt16 { get }
    /// Whether viewers may drive at all.
    var allowsControl: Bool { get }
    var hasRoomForDevice: Bool { get }
    /// The ceiling of what is sent to a viewer.
    var agreedBitrate: Bitrate { get }
    /// What viewers are told of the stream beside its codec and picture.
    var terms: StreamTerms { get }

    /// One that no viewer has.
    func makeSSRC() -> SSRC
    func makeNonce() -> [UInt8]
    /// `nil` where a viewer that takes no more than this can't be served together with the others.
    func makeOffer(for session: SourceSession, taking capabilities: StreamCapabilities, now: Instant) -> StreamOffer?
    /// What the host says about suites on a connection, and what it makes of a viewer's word.
    func judgeSuite(
        _ header: String?, clientNonce: [UInt8], hostNonce: [UInt8]
    ) throws(SuiteHandshake.Refusal) -> SuiteHandshake.Outcome
    func add(_ device: PairedDevice)
    func count(_ drop: HostDrop)
}
