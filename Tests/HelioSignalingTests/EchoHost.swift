import HelioSignaling
import NIOCore
import NIOPosix
import Synchronization

/// A service on loopback that echoes every message, and records its events.
final class EchoHost: Sendable {
    enum Event: Equatable, Sendable {
        case opened(UInt64, from: String)
        case message(UInt64, String)
        case closed(UInt64)
    }

    static let contents = [
        Array("<!doctype html>".utf8), Array("'use strict'".utf8), [UInt8](repeating: 7, count: 300_000),
    ]
    static let files = [
        PageFile(path: "index.html", bytes: contents[0], type: "text/html; charset=utf-8"),
        PageFile(path: "main.js", bytes: contents[1], type: "text/javascript; charset=utf-8"),
        PageFile(path: "parts/large.bin", bytes: contents[2], type: "image/png"),
    ]

    let service: LocalSignalingService
    let port: Int
    private let loop: any EventLoop
    private let connections: NIOLoopBoundBox<[UInt64: any SignalingConnection]>
    private let events: Events

    private actor Events {
        private var source: AsyncStream<Event>.Iterator
        init(_ stream: AsyncStream<Event>) { source = stream.makeAsyncIterator() }
        func next() async -> Event? {
            var iterator = source
            defer { source = iterator }
            return await iterator.next(isolation: self)
        }
    }

    /// - Parameter admits: whether every connection counts as admitted at once.
    init(
        admits: Bool = false, echoes: Bool = true, _ change: (inout LocalSignalingSettings) -> Void = { _ in }
    ) async throws {
        var settings = LocalSignalingSettings(
            address: "127.0.0.1", port: .exactly(0), files: Self.files, names: ["Sundial.example"])
        // Raw clients don't answer a close frame.
        settings.closeTimeout = .milliseconds(200)
        change(&settings)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let connections = NIOLoopBoundBox.makeBoxSendingValue([UInt64: any SignalingConnection](), eventLoop: loop)
        let (stream, told) = AsyncStream.makeStream(of: Event.self)
        self.loop = loop
        self.connections = connections
        events = Events(stream)
        service = LocalSignalingService(settings, on: loop)
        try await service.start { event in
            loop.preconditionInEventLoop()
            switch event {
            case .opened(let connection):
                connections.value[connection.id] = connection
                connection.isAdmitted = admits
                told.yield(.opened(connection.id, from: connection.remoteAddress))
            case .message(let connection, let message):
                if echoes { connection.send(message) }
                told.yield(.message(connection.id, String(decoding: message, as: UTF8.self)))
            case .closed(let connection):
                connections.value[connection.id] = nil
                told.yield(.closed(connection.id))
            }
        }
        port = service.localPort ?? 0
    }

    func client(reads: Bool = true) async throws -> RawClient { try await RawClient(port: port, reads: reads) }

    /// Returns a client with an open WebSocket.
    func talker(reads: Bool = true) async throws -> RawClient {
        let client = try await client()
        try await client.upgrade()
        return client
    }

    func event() async -> Event? { await events.next() }

    func closed() async -> UInt64? {
        while let event = await event() {
            if case .closed(let id) = event { return id }
        }
        return nil
    }

    /// Runs a closure with a connection on the event loop.
    func with(_ id: UInt64, _ body: @escaping @Sendable (any SignalingConnection) -> Void) async throws {
        try await loop.submit { [connections] in
            guard let connection = connections.value[id] else { throw RawClient.Ended() }
            body(connection)
        }.get()
    }

    func drops() async -> [String: Int] { await service.statistics().drops }
}
