public import Heliograph

/// Shares an extension's pictures with viewers, using `RelayedScreen`.
public final class RelayedSharing: RelaySharing {
    /// The codes that admit the next viewer; each code is sent when it becomes valid.
    public let codes: AsyncStream<String>
    /// The listener for the extension, with the source that shares the extension's pictures.
    public let screen: RelayedScreen

    /// Starts to share the relay at this socket, with the default `MirrorSource.Options`.
    public static func start(socket: String) async throws -> RelayedSharing { try await start(.init(), socket: socket) }

    /// Starts to listen for an extension, and for viewers. Throws the errors of `RelayedScreen`.
    ///
    /// - Parameter socket: the path of the relay's socket; see `RelayedScreen`.
    public static func start(_ options: MirrorSource.Options, socket: String) async throws -> RelayedSharing {
        let screen = try await RelayedScreen.start(
            options, socketPath: socket,
            video: MediaAttributes(format: .avc, width: 720, height: 1280, framesPerSecond: 30, bitrate: 8_000_000))
        do {
            return RelayedSharing(screen, code: try await screen.source.link.code)
        } catch {
            await screen.stop()
            throw error
        }
    }

    private init(_ screen: RelayedScreen, code: String) {
        self.screen = screen
        let (stream, out) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        codes = stream
        out.yield(code)
        let events = screen.source.events
        Task {
            for await event in events { if case .link(let link) = event { out.yield(link.code) } }
            out.finish()
        }
    }

    /// Ends sharing, and notifies every viewer.
    public func stop() async { await screen.stop() }
}
