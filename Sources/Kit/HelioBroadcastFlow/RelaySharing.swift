/// An app's sharing of an extension's relay with viewers: `RelayedSharing`, or a test's own.
public protocol RelaySharing: AnyObject, Sendable {
    /// The codes that admit the next viewer, each from the time when it is valid; the stream ends with the sharing.
    var codes: AsyncStream<String> { get }
    /// Ends sharing: notifies the extension, which ends its broadcast, and every viewer.
    func stop() async
}
