public import HelioAppModels

/// The dependencies of `BroadcastFlow`, provided by its app.
@MainActor
public struct BroadcastSurroundings {
    /// The App Group's defaults.
    public var store: any KeyValueStore
    /// The App Group's folder; `nil` if the app is in no group.
    public var folder: GroupFolder?
    /// Starts to share the stream of the relay at this socket.
    public var share: @MainActor (_ socket: String) async throws -> any RelaySharing
    /// The time on a monotonic clock with any origin.
    public var now: @MainActor () -> Duration

    /// - Parameter now: by default the machine's monotonic clock.
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
