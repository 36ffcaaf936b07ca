public import HelioAppModels

/// The dependencies of `HostFlow`, provided by its app.
@MainActor
public struct HostSurroundings {
    /// Starts to share. Throws an error whose message is shown to the user.
    public var share: @MainActor (SharingOptions) async throws -> any HostSharing
    /// The system's permissions for the app.
    public var permissions: any HostPermissions
    /// The login item that starts the app.
    public var loginItem: any LoginItem
    /// The store of the preferences.
    public var store: any KeyValueStore
    /// Shows the preferences.
    public var openPreferences: @MainActor () -> Void
    /// Ends the app.
    public var quit: @MainActor () -> Void
    /// The time on a monotonic clock with any origin.
    public var now: @MainActor () -> Duration
    /// Waits; throws if the task is cancelled.
    public var sleep: @MainActor (Duration) async throws -> Void

    /// - Parameters:
    ///   - now: by default the machine's monotonic clock.
    ///   - sleep: by default sleeps on the machine's monotonic clock.
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
