/// The report of a rejected message, with the reason: `error {message, about?}`.
package struct RemoteErrorReport: Hashable, Sendable {
    /// The maximum size of the message, in bytes of UTF-8; longer messages are truncated.
    package static let longestMessage = 512

    /// The human-readable reason.
    package var message: String
    /// The `type` of the rejected message, at most 32 bytes.
    package var about: String?

    package init(message: String, about: String? = nil) {
        self.message = message
        self.about = about
    }
}
