/// What an app makes of an extension's relay: shares it to viewers. `RelayedSharing`, or a test's own.
public protocol RelaySharing: AnyObject, Sendable {
    /// The codes that let the next viewer in, each from when it is the one; ends with the sharing.
    var codes: AsyncStream<String> { get }
    /// Ends it: tells the extension, which ends its broadcast, and every viewer.
    func stop() async
}
