/// `error {message, about?}`: what was not taken, and why.
package struct RemoteErrorReport: Hashable, Sendable {
    /// Bytes of the message: what is longer is cut.
    package static let longestMessage = 512

    /// For people.
    package var message: String
    /// The `type` of what was not taken. At most 32 bytes.
    package var about: String?

    package init(message: String, about: String? = nil) {
        self.message = message
        self.about = about
    }
}
