/// What a sample of ReplayKit is of (rows 154, 159), numbered as `RPSampleBufferType`.
public enum BroadcastSampleKind: Int, Sendable, Hashable, CaseIterable {
    /// A picture of the screen.
    case video = 1
    /// The sound of the apps.
    case appAudio = 2
    /// The microphone: a stream of its own, by a permission of its own.
    case microphone = 3
}
