/// The messages on the local socket of a session's process, one line of JSON each.
enum FileServiceMessage {
    /// A request of a command.
    enum Request: Codable, Sendable {
        /// Lists the recipients.
        case recipients
        /// Sends these paths to the recipient with this name, or to all.
        case send(paths: [String], to: String?)
        /// Accepts the present or next offer, of the sender with this name or of anybody.
        case get(from: String?)
    }

    /// An answer to a command.
    enum Answer: Codable, Sendable {
        case recipients([String])
        /// A line for the user that may be replaced by the next one.
        case progress(String)
        /// A lasting line for the user.
        case note(String)
        /// The last answer; `failure` is the reason why the request has failed, `nil` if it succeeded.
        case over(failure: String?)
    }
}
