/// Where sound comes from: each origin is a stream of its own (row 159).
package enum SoundOrigin: String, Sendable, Hashable, CaseIterable {
    /// What the machine plays.
    case system
    case microphone
}
