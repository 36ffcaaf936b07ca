internal import HelioCore
import HelioHost
internal import HelioServing
internal import HelioSession
internal import HelioSignaling

/// The browsers' WebSocket connections: forwards their messages to the host's engine, and the engine's orders to them.
/// Used on the host's event loop only.
final class WebCallers {
    private var connections: [ConnectionID: any SignalingConnection] = [:]
    private var numbers: [UInt64: ConnectionID] = [:]

    func take(_ event: SignalingEvent, for server: SourceServer) {
        switch event {
        case .opened(let connection):
            let id = server.makeWebViewer()
            numbers[connection.id] = id
            connections[id] = connection
            server.webInput(
                .connected(address: connection.remoteAddress, isSecure: connection.isSecure), from: id)
        case .message(let connection, let bytes):
            guard let id = numbers[connection.id] else { return }
            server.webInput(.received(bytes), from: id)
            connection.isAdmitted = server.keepsWeb(id)
        case .closed(let connection):
            guard let id = numbers.removeValue(forKey: connection.id) else { return }
            connections[id] = nil
            server.webInput(.disconnected, from: id)
        }
    }

    func carryOut(_ order: WebSocketOrder, for id: ConnectionID) {
        switch order {
        case .send(let bytes): connections[id]?.send(bytes)
        case .close: connections[id]?.close()
        }
    }
}
