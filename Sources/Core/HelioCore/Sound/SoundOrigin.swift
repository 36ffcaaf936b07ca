/// The origin of sound; each origin is a stream of its own (row 159).
package enum SoundOrigin: String, Sendable, Hashable, CaseIterable {
    /// The sound that the machine plays.
    case system
    case microphone
}
