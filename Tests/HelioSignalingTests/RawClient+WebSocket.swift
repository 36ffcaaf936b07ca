extension RawClient {
    /// Returns the upgrade request of RFC 6455 section 1.3.
    static func upgrade(
        host: String = "localhost", origin: String? = "http://localhost", target: String = "/signaling",
        key: String = "dGhlIHNhbXBsZSBub25jZQ==", version: String = "13", connection: String = "keep-alive, Upgrade"
    ) -> String {
        request(
            "GET", target, host: host,
            ["Upgrade: websocket", "Connection: \(connection)", "Sec-WebSocket-Version: \(version)"]
                + ["Sec-WebSocket-Key: \(key)"] + (origin.map { ["Origin: \($0)"] } ?? []))
    }

    /// Opens a WebSocket.
    func upgrade(host: String = "localhost", secure: Bool = false) async throws {
        try await send(Self.upgrade(host: host, origin: (secure ? "https://" : "http://") + host))
        let head = try await readHead()
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw Refused(head: head) }
    }

    struct Refused: Error { let head: String }

    func frame() async throws -> Frame {
        let start = try await read(2)
        guard start[1] & 0x80 == 0 else { throw Masked() }
        var length = Int(start[1])
        if length == 126 { length = try await read(2).reduce(0) { $0 << 8 | Int($1) } }
        if length == 127 { length = try await read(8).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(first: start[0], content: try await read(length))
    }

    /// A server's frames must not be masked (RFC 6455 section 5.1).
    struct Masked: Error {}

    /// Reads up to the close frame, and returns it.
    func goodbye() async throws -> Frame {
        while true {
            let frame = try await frame()
            if frame.first == 0x88 { return frame }
        }
    }
}
