import Foundation

/// A client at the host's port that is no browser and breaks rules.
final class Stranger {
    let stream: ByteStream
    private let port: UInt16

    init(port: UInt16, from origin: UInt8 = 1) throws {
        self.port = port
        stream = try ByteStream(port: port, from: origin)
    }

    /// Sends an HTTP request; returns the status and the response's head.
    ///
    /// - Parameter headers: additional headers; `Host` is the page's own unless included.
    func ask(_ path: String, _ headers: [(String, String)] = [], method: String = "GET") throws -> (Int, String) {
        let names = headers.map { $0.0.lowercased() }
        let all = (names.contains("host") ? [] : [("Host", "127.0.0.1:\(port)")]) + headers
        let lines = ["\(method) \(path) HTTP/1.1"] + all.map { "\($0.0): \($0.1)" } + ["", ""]
        try stream.write(Array(lines.joined(separator: "\r\n").utf8))
        let head = try stream.readHead()
        let parts = head.split(separator: " ", maxSplits: 2)
        guard parts.count > 1, let status = Int(parts[1]) else {
            throw BrowserError(description: "that is no HTTP: \(head)")
        }
        return (status, head)
    }

    /// Requests the WebSocket; returns the status. Without an origin, the page's own is used.
    func upgrade(origin: String? = nil, _ headers: [(String, String)] = []) throws -> Int {
        try ask(
            "/signaling",
            [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Origin", origin ?? "http://127.0.0.1:\(port)"),
            ] + headers
        ).0
    }

    /// Returns a stranger with an open WebSocket.
    static func connected(port: UInt16) throws -> Stranger {
        let stranger = try Stranger(port: port)
        let status = try stranger.upgrade()
        guard status == 101 else { throw BrowserError(description: "no WebSocket, but \(status)") }
        return stranger
    }

    func say(_ text: String) throws { try say(WebSocketFrame(WebSocketFrame.text, Array(text.utf8))) }

    func say(_ frame: WebSocketFrame, masked: Bool = true) throws { try stream.write(frame.bytes(masked: masked)) }

    /// Reads the next text; `nil` if the host ends the connection.
    func heard() throws -> String? {
        while true {
            let frame: WebSocketFrame
            do {
                frame = try WebSocketFrame(reading: stream)
            } catch is ByteStream.Ended {
                return nil
            }
            if frame.opcode == WebSocketFrame.close { return nil }
            if frame.opcode == WebSocketFrame.text { return String(decoding: frame.payload, as: UTF8.self) }
        }
    }

    /// Reads all of the host's texts up to the end of the connection.
    func heardToTheEnd() throws -> [String] {
        var all: [String] = []
        while let text = try heard() { all.append(text) }
        return all
    }

    /// Reads the next text of a type; `nil` if the host ends the connection first.
    func heard(_ type: String) throws -> String? {
        while let text = try heard() {
            if text.contains("\"type\":\"\(type)\"") { return text }
        }
        return nil
    }
}
