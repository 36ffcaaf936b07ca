public import HelioAppModels

/// The interface of `HostFlow` to a sharing session. Implemented by `MirrorSharing` and by test doubles.
public protocol HostSharing: AnyObject, Sendable {
    /// The session's events, for one reader; the stream ends with the session.
    var events: AsyncStream<SharingEvent> { get }
    /// Returns the code that admits the next viewer. Throws an error if sharing has ended.
    func code() async throws -> String
    /// Returns the whole links that admit the next viewer; `nil` if sharing has ended, or if the app shows none.
    func links() async -> SharingLinks?
    /// Returns the viewers, in the order in which they joined.
    func viewers() async -> [SharedViewer]
    /// All monitors that can be shared, and the `id` of the shared monitor; `nil` if it is not known.
    var monitors: (all: [SessionMonitor], selected: String?) { get }
    /// Shares another monitor. Throws an error if the monitor no longer exists.
    func selectMonitor(_ id: String) throws
    /// Takes control back from all viewers, or lets them drive again.
    func setControl(_ isAllowed: Bool)
    /// Mutes or unmutes the sound for all viewers. Throws an error if the session was started without sound.
    func setSound(_ isShared: Bool) throws
    func answerPairing(_ question: Int, _ answer: PairingReply)
    /// Takes control back from one viewer, or lets it drive again as far as its pairing permits.
    func setControl(_ isAllowed: Bool, of viewer: UInt64) async
    /// Takes or declines the files of an offer; the number of an obsolete one is ignored.
    func answerFiles(_ question: Int, accepts: Bool)
    func putOut(_ viewer: UInt64)
    /// Ends the session, and notifies every viewer.
    func stop() async
}

extension HostSharing {
    /// The default implementation, for sessions without links: always `nil`.
    public func links() async -> SharingLinks? { nil }
    /// The default implementation, for sessions with control for all viewers or none: does nothing.
    public func setControl(_ isAllowed: Bool, of viewer: UInt64) async {}
    /// The default implementation, for sessions without files: does nothing.
    public func answerFiles(_ question: Int, accepts: Bool) {}
}
