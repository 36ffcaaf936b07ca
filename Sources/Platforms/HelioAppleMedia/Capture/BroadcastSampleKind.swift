/// The kind of a ReplayKit sample (requirement rows 154, 159), numbered as `RPSampleBufferType`.
public enum BroadcastSampleKind: Int, Sendable, Hashable, CaseIterable {
    /// A picture of the screen.
    case video = 1
    /// The sound of the apps.
    case appAudio = 2
    /// The sound of the microphone: a separate stream, for which the user grants a separate permission.
    case microphone = 3
}
