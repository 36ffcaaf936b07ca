/// What goes over the local socket of a session's process, a line of JSON each.
enum FileServiceMessage {
    /// What a command of this user's wants.
    enum Request: Codable, Sendable {
        /// Who can be sent to.
        case recipients
        /// Sends these paths to the recipient of this name, or to all.
        case send(paths: [String], to: String?)
        /// Takes the next batch that whoever has this name, or anybody, offers or has offered already.
        case get(from: String?)
    }

    /// What it is told.
    enum Answer: Codable, Sendable {
        case recipients([String])
        /// A line for the person that may be replaced by the next one.
        case progress(String)
        /// A line for the person.
        case note(String)
        /// Nothing more comes; `failure` says what went wrong.
        case over(failure: String?)
    }
}
