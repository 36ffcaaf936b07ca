import Foundation

/// A hand-written RTSP client, for requests that players don't send.
final class RTSPDialogue {
    struct Failed: Error {}

    struct Answer {
        var head: String
        var body: String

        var session: String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("Session: ") }?
                .dropFirst("Session: ".count).split(separator: ";").first.map { String($0) }
        }
    }

    private let url: String
    private let socket: Int32
    private var sequence = 0

    init(url: String) throws {
        self.url = url
        let port = URL(string: url)?.port ?? 0
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in(LoopbackAddress(port))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failed() }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func ask(_ method: String, _ path: String, _ headers: [String] = []) throws -> Answer {
        sequence += 1
        let lines = ["\(method) \(url)\(path) RTSP/1.0", "CSeq: \(sequence)"] + headers + ["", ""]
        let request = Array(lines.joined(separator: "\r\n").utf8)
        guard send(socket, request, request.count, 0) == request.count else { throw Failed() }
        var text = ""
        while true {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                let length = parts[0].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                    .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
                if parts[1].utf8.count >= length ?? 0 {
                    guard parts[0].hasPrefix("RTSP/1.0 200") else { throw Failed() }
                    return Answer(head: String(parts[0]), body: String(parts[1]))
                }
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failed() }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}

/// A port of 127.0.0.1.
struct LoopbackAddress {
    var number: Int
    init(_ number: Int) { self.number = number }
}

extension sockaddr_in {
    init(_ port: LoopbackAddress) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = UInt16(port.number).bigEndian
        sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }
}
