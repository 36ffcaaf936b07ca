public import HelioAppModels

/// The dependencies of `ExtensionFlow`, provided by its extension. The closures may be called on any thread.
public struct ExtensionSurroundings: Sendable {
    /// The App Group's folder; `nil` if the extension is in no group.
    public var folder: GroupFolder?
    /// Returns the text in the App Group's defaults for a key of `BroadcastKeys`.
    public var text: @Sendable (String) -> String?
    /// Returns the process's memory use in bytes, as the system counts it against the limit; `nil` if it is not known.
    public var memory: @Sendable () -> Int?
    /// Ends the broadcast at the system, with the reason to show to the user.
    public var fail: @Sendable (Phrase) -> Void
    /// The time on a monotonic clock with any origin.
    public var now: @Sendable () -> Duration
    /// The wall-clock time, in milliseconds since 1970.
    public var milliseconds: @Sendable () -> Int64

    /// - Parameter now: by default the machine's monotonic clock.
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
