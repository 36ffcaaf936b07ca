/// The messages on the local socket of a session's process, one line of JSON each.
enum FileServiceMessage {
    /// A request from a command-line process to the session's process.
    enum Request: Codable, Sendable {
        /// Lists the recipients.
        case recipients
        /// Sends these paths to the recipient with this name; `nil` sends to all.
        case send(paths: [String], to: String?)
        /// Accepts the pending or next offer from the sender with this name; `nil` allows any sender.
        case get(from: String?)
    }

    /// A line of the answer to a request; `over` is the last.
    enum Answer: Codable, Sendable {
        case recipients([String])
        /// A line for the user, which the next line of output may replace.
        case progress(String)
        /// A line for the user that stays visible.
        case note(String)
        /// The last answer; `failure` is the reason why the request has failed, `nil` if it succeeded.
        case over(failure: String?)
    }
}
