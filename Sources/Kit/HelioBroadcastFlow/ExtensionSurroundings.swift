public import HelioAppModels

/// What `ExtensionFlow` needs of its extension. Any thread may call.
public struct ExtensionSurroundings: Sendable {
    /// The App Group's folder; `nil` where the extension is in no group.
    public var folder: GroupFolder?
    /// What the App Group's defaults hold under a name of `BroadcastKeys`.
    public var text: @Sendable (String) -> String?
    /// The memory that the process takes, in bytes, as the system counts it against the limit; `nil` where it does not tell.
    public var memory: @Sendable () -> Int?
    /// Tells the system that the broadcast ends, and a person why.
    public var fail: @Sendable (Phrase) -> Void
    /// The time since any one start of a monotonic clock.
    public var now: @Sendable () -> Duration
    /// The time of the day, in milliseconds since 1970.
    public var milliseconds: @Sendable () -> Int64

    /// - Parameter now: by itself the machine's monotonic clock.
    public init(
        folder: GroupFolder?, text: @escaping @Sendable (String) -> String?, memory: @escaping @Sendable () -> Int?,
        fail: @escaping @Sendable (Phrase) -> Void, now: (@Sendable () -> Duration)? = nil,
        milliseconds: @escaping @Sendable () -> Int64
    ) {
        let start = ContinuousClock.now
        self.folder = folder
        self.text = text
        self.memory = memory
        self.fail = fail
        self.now = now ?? { start.duration(to: .now) }
        self.milliseconds = milliseconds
    }
}
