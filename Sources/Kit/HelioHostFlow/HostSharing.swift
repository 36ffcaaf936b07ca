public import HelioAppModels

/// A sharing session as `HostFlow` needs it: `MirrorSharing`, or a test's own.
public protocol HostSharing: AnyObject, Sendable {
    /// What it tells, for one reader; ends with it.
    var events: AsyncStream<SharingEvent> { get }
    /// The code that lets the next viewer in. Throws where sharing has ended.
    func code() async throws -> String
    /// Who watches, in the order in which they came.
    func viewers() async -> [SharedViewer]
    /// The monitors that can be shared, and the one that is.
    var monitors: (all: [SessionMonitor], selected: String?) { get }
    /// Shares another monitor. Throws where it is gone.
    func selectMonitor(_ id: String) throws
    /// Takes control back from all viewers, or lets them drive again.
    func setControl(_ isAllowed: Bool)
    /// Lets viewers hear nothing any more, or again. Throws where it was started without sound.
    func setSound(_ isShared: Bool) throws
    func answerPairing(_ question: Int, _ answer: PairingReply)
    func putOut(_ viewer: UInt64)
    /// Ends it: tells every viewer.
    func stop() async
}
