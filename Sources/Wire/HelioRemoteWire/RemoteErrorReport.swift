/// The report of a rejected message, with the reason: `error {message, about?}`.
public struct RemoteErrorReport: Hashable, Sendable {
    /// The maximum size of the message, in bytes of UTF-8; longer messages are truncated.
    public static let longestMessage = 512

    /// The human-readable reason.
    public var message: String
    /// The `type` of the rejected message, at most 32 bytes.
    public var about: String?

    /// Makes a report.
    public init(message: String, about: String? = nil) {
        self.message = message
        self.about = about
    }
}
