import Glibc
import HelioCore
import HelioWayland
import HelioWaylandWire

/// The compositor's end of a connection, on the test's own thread: it answers the client's start, and after that reads
/// and says only what the test wants.
final class SilentCompositor {
    let connection: WaylandConnection
    private let client: Int32
    private let socket: WaylandSocket
    private var input = WaylandInput()

    init() throws {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        client = ends[0]
        let server = WaylandSocket(taking: ends[1])
        socket = server
        // The client's registry is its second object, and its first callback the third.
        Self.answer(3, by: server)
        connection = try WaylandConnection(WaylandSocket(taking: client), name: "silent")
        _ = receive()
        // The client reads that its first callback is forgotten.
        _ = try connection.next()
    }

    /// Tells that a callback is done.
    func answer(_ callback: UInt32) { Self.answer(callback, by: socket) }

    private static func answer(_ callback: UInt32, by socket: WaylandSocket) {
        let words: [UInt32] = [callback, 12 << 16, 0, WaylandInterface.displayObject, 12 << 16 | 1, callback]
        let bytes = words.withUnsafeBytes { Array($0) }
        _ = socket.send(bytes[...], descriptors: [])
    }

    /// Fills what the client's system keeps for the compositor, so that the client can send nothing.
    func fill() {
        let zeroes = [UInt8](repeating: 0, count: 4096)
        while send(client, zeroes, zeroes.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// Reads what `fill` has sent.
    func empty() {
        var zeroes = [UInt8](repeating: 0, count: 65536)
        while recv(socket.descriptor, &zeroes, zeroes.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// Reads all that has arrived; returns the callbacks that are asked for (`wl_display.sync`).
    func callbacks() -> [UInt32] {
        receive().filter { $0.message.object == WaylandInterface.displayObject && $0.message.opcode == 0 }
            .map { $0.message.body.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } }
    }

    /// Reads all that has arrived; returns the requests, each with the descriptor that is there for it if it takes one.
    func receive(
        takesDescriptor: (WaylandInput.Message) -> Bool = { _ in false }
    ) -> [(
        message: WaylandInput.Message, descriptor: Int32?
    )] {
        var requests: [(message: WaylandInput.Message, descriptor: Int32?)] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var descriptors: [Int32] = []
            let result = buffer.withUnsafeMutableBufferPointer { socket.receive(into: $0, descriptors: &descriptors) }
            guard case .done(let count) = result else { return requests }
            try? input.receive(buffer[..<count], descriptors: descriptors)
            while let message = try? input.next() {
                requests.append((message, takesDescriptor(message) ? input.takeDescriptor() : nil))
            }
        }
    }
}
