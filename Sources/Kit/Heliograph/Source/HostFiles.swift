internal import HelioCore
internal import HelioHost
internal import HelioServing
internal import HelioSession
internal import HelioSharing
private import Synchronization

/// Connects the shared files to the viewers of a server.
final class HostFiles: Sendable {
    private let shared: SharedFiles?
    private let server = Mutex<SourceServer?>(nil)

    init(_ shared: SharedFiles?) { self.shared = shared }

    /// Sends through this server from now on.
    func connect(_ server: SourceServer) { self.server.withLock { $0 = server } }

    /// Handles an event of a viewer's file channel.
    func take(_ news: FileNews, of viewer: ConnectionID) {
        switch news {
        case .opened(let files):
            shared?.open(
                viewer.rawValue, of: .init(token: files.token, device: files.device?.bytes), name: files.name,
                files.permission
            ) { [self] messages in server.withLock { $0 }?.send(files: messages, to: viewer) }
        case .permitted(let permission): shared?.permit(viewer.rawValue, permission)
        case .traffic(let traffic):
            guard let shared, !shared.take(traffic, of: viewer.rawValue) else { return }
            server.withLock { $0 }?.endForFlooding(viewer)
        }
    }
}
