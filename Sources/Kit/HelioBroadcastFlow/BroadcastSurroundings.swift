public import HelioAppModels

/// What `BroadcastFlow` needs of its app.
@MainActor
public struct BroadcastSurroundings {
    /// The App Group's defaults.
    public var store: any KeyValueStore
    /// The App Group's folder; `nil` where the app is in no group.
    public var folder: GroupFolder?
    /// Begins to share what comes by the relay at this socket.
    public var share: @MainActor (_ socket: String) async throws -> any RelaySharing
    /// The time since any one start of a monotonic clock.
    public var now: @MainActor () -> Duration

    /// - Parameter now: by itself the machine's monotonic clock.
    public init(
        store: any KeyValueStore, folder: GroupFolder?,
        share: @escaping @MainActor (_ socket: String) async throws -> any RelaySharing,
        now: (@MainActor () -> Duration)? = nil
    ) {
        let start = ContinuousClock.now
        self.store = store
        self.folder = folder
        self.share = share
        self.now = now ?? { start.duration(to: .now) }
    }
}
