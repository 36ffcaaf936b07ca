import HelioCore

/// A message on an RTSP connection: a request, a response or interleaved data.
package enum RTSPMessage: Hashable, Sendable {
    case request(RTSPRequest)
    case response(RTSPResponse)
    /// RTP or RTCP between messages (RFC 2326 section 10.12); at most 65,535 bytes.
    case interleaved(channel: UInt8, [UInt8])

    /// ```
    ///  0                   1                   2                   3
    ///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    /// +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    /// |   "$" (0x24)  |    channel    |        length of data         |
    /// +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    /// ```
    package func serialised() -> [UInt8] {
        switch self {
        case .request(let request): return request.serialised()
        case .response(let response): return response.serialised()
        case .interleaved(let channel, let data):
            precondition(data.count <= Int(UInt16.max), "interleaved data has a 16-bit length")
            var bytes: [UInt8] = [UInt8(ascii: "$"), channel]
            bytes.reserveCapacity(4 + data.count)
            bytes.append(bigEndian: UInt16(data.count))
            bytes.append(contentsOf: data)
            return bytes
        }
    }

    /// Serialises a message. Omits CR, LF and NUL from values, so that no value can add a line.
    static func serialised(start: String, _ headers: RTSPHeaders, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        func line(_ text: String) {
            bytes.append(contentsOf: text.utf8.lazy.filter { ![0x00, 0x0A, 0x0D].contains($0) })
            bytes.append(contentsOf: [0x0D, 0x0A])
        }
        line(start)
        for field in headers.fields where !Text.equalIgnoringCase(field.name, "Content-Length") {
            line("\(field.name): \(field.value)")
        }
        if !body.isEmpty { line("Content-Length: \(body.count)") }
        line("")
        bytes.append(contentsOf: body)
        return bytes
    }
}
