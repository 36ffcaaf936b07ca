/// The report of a rejected message, with the reason: `error {message, about?}`.
package struct RemoteErrorReport: Hashable, Sendable {
    /// The most bytes of the message; longer ones are truncated.
    package static let longestMessage = 512

    /// The reason, for people.
    package var message: String
    /// The `type` of the rejected message, at most 32 bytes.
    package var about: String?

    package init(message: String, about: String? = nil) {
        self.message = message
        self.about = about
    }
}
