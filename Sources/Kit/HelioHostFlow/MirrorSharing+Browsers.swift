public import Heliograph

extension MirrorSharing {
    /// Starts to share this machine's screen, and serves browsers too, on port 8080 or a free one. Throws the errors of
    /// `MirrorSource.start(_:)`.
    ///
    /// - Parameter base: the other options; its `web`, if it is set, is used instead.
    public static func startWithBrowsers(
        _ wanted: SharingOptions, base: MirrorSource.Options = .init()
    ) async throws -> MirrorSharing {
        var options = base
        options.web = base.web ?? WebOptions()
        return try await start(wanted, base: options)
    }

    /// The link by which the next browser watches, including the secret; `nil` if sharing has ended.
    public var browserLink: String? {
        get async { try? await source.link.web }
    }
}
