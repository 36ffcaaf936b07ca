/// A report of a message that was not taken, and why: `error {message, about?}`.
package struct RemoteErrorReport: Hashable, Sendable {
    /// The most bytes of the message: what is longer is cut.
    package static let longestMessage = 512

    /// The reason, for people.
    package var message: String
    /// The `type` of the message that was not taken. At most 32 bytes.
    package var about: String?

    package init(message: String, about: String? = nil) {
        self.message = message
        self.about = about
    }
}
