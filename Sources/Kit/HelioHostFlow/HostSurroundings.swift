public import HelioAppModels

/// What `HostFlow` needs of its app.
@MainActor
public struct HostSurroundings {
    /// Begins to share. Throws what a person is told.
    public var share: @MainActor (SharingOptions) async throws -> any HostSharing
    /// What the system lets the app do.
    public var permissions: any HostPermissions
    /// Starts the app when the person logs in.
    public var loginItem: any LoginItem
    /// Where preferences are kept.
    public var store: any KeyValueStore
    /// Shows the preferences.
    public var openPreferences: @MainActor () -> Void
    /// Ends the app.
    public var quit: @MainActor () -> Void
    /// The time since any one start of a monotonic clock.
    public var now: @MainActor () -> Duration
    /// Waits; throws where the task is cancelled.
    public var sleep: @MainActor (Duration) async throws -> Void

    /// - Parameters:
    ///   - now: by itself the machine's monotonic clock.
    ///   - sleep: by itself the same clock's.
    public init(
        share: @escaping @MainActor (SharingOptions) async throws -> any HostSharing,
        permissions: any HostPermissions, loginItem: any LoginItem, store: any KeyValueStore,
        openPreferences: @escaping @MainActor () -> Void, quit: @escaping @MainActor () -> Void,
        now: (@MainActor () -> Duration)? = nil,
        sleep: @escaping @MainActor (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        let start = ContinuousClock.now
        self.share = share
        self.permissions = permissions
        self.loginItem = loginItem
        self.store = store
        self.openPreferences = openPreferences
        self.quit = quit
        self.now = now ?? { start.duration(to: .now) }
        self.sleep = sleep
    }
}
