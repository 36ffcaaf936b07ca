/// The interface of `BroadcastFlow` to sharing an extension's pictures with viewers. Implemented by `RelayedSharing`
/// and by test doubles.
public protocol RelaySharing: AnyObject, Sendable {
    /// The codes that admit the next viewer; each code is sent when it becomes valid. The stream ends when sharing
    /// ends.
    var codes: AsyncStream<String> { get }
    /// Ends sharing: notifies the extension, which ends its broadcast, and every viewer.
    func stop() async
}
