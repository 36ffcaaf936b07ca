internal import HelioCore
import HelioHost
internal import HelioPeerPort
internal import HelioServing
import HelioSession
internal import HelioSignaling
private import HelioTunnel
internal import NIOCore

/// The browsers' connections of all signalling services, whose messages go to the host's engine and back; and the
/// connections to the page's port for media, which go to the WebRTC port. Used on the host's event loop only.
final class WebCallers {
    /// The host's server; WebSockets that are opened before it is set are closed.
    var server: SourceServer?
    /// The WebRTC port; connections for media that come before it is set are closed.
    var media: PeerPort?
    private var connections: [ConnectionID: any SignalingConnection] = [:]
    private var numbers: [ObjectIdentifier: ConnectionID] = [:]

    func take(_ event: SignalingEvent) {
        guard let server else {
            if case .opened(let connection) = event { connection.close() }
            return
        }
        switch event {
        case .opened(let connection):
            let id = server.makeWebViewer()
            numbers[ObjectIdentifier(connection)] = id
            connections[id] = connection
            server.webInput(
                .connected(
                    address: connection.remoteAddress, isSecure: connection.isSecure,
                    lent: (connection as? RemoteSignalingConnection)?.servers ?? WebServers()), from: id)
        case .message(let connection, let bytes):
            guard let id = numbers[ObjectIdentifier(connection)] else { return }
            server.webInput(.received(bytes), from: id)
            connection.isAdmitted = server.keepsWeb(id)
        case .closed(let connection):
            guard let id = numbers.removeValue(forKey: ObjectIdentifier(connection)) else { return }
            connections[id] = nil
            server.webInput(.disconnected, from: id)
        }
    }

    func takeMedia(_ channel: any Channel) throws {
        guard let media else { throw ChannelError.ioOnClosedChannel }
        try media.acceptOnLoop(channel)
    }

    func send(_ message: [UInt8], to viewer: ConnectionID) { connections[viewer]?.send(message) }

    func close(_ viewer: ConnectionID) { connections[viewer]?.close() }
}
