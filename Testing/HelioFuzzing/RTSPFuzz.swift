import HelioCore
import HelioRTSP

/// Fuzzes the parser of an RTSP connection. The result must not depend on how the bytes are split, and a parsed message
/// must survive a round trip.
package enum RTSPFuzz {
    package static func run(_ bytes: [UInt8]) {
        let limits = RTSPParser.Limits()
        let whole = messages(bytes, piece: max(1, bytes.count), limits)
        let pieces = messages(bytes, piece: 1 + Int(bytes.first ?? 0) % 7, limits)
        precondition(whole.messages == pieces.messages && whole.error == pieces.error, "splitting changed the result")
        // Widen the limits, as writing adds a space after each colon, and a Content-Length line.
        var wider = limits
        wider.line += 1
        wider.headers += 1
        wider.head *= 2
        for message in whole.messages {
            let again = messages(message.serialised(), piece: 128 * 1024, wider)
            precondition(again.messages == [message], "message changed on its way")
            if case .request(let request) = message { headers(request.headers) }
            if case .response(let response) = message { headers(response.headers) }
        }
    }

    private static func messages(
        _ bytes: [UInt8], piece: Int, _ limits: RTSPParser.Limits
    ) -> (messages: [RTSPMessage], error: RTSPParseError?) {
        var parser = RTSPParser(limits: limits)
        var result: [RTSPMessage] = []
        var start = 0
        do throws(RTSPParseError) {
            while start < bytes.count {
                let end = min(start + piece, bytes.count)
                parser.append(Array(bytes[start..<end]))
                start = end
                while let message = try parser.next() { result.append(message) }
            }
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    private static func headers(_ headers: RTSPHeaders) {
        for field in headers.fields {
            if let session = RTSPSessionHeader(field.value) {
                precondition(RTSPSessionHeader(session.value) == session, "session changed on its way")
            }
            if let list = TransportHeader.list(field.value) {
                let text = list.map(\.value).joined(separator: ",")
                precondition(TransportHeader.list(text) == list, "transport changed on its way")
            }
            for challenge in DigestChallenge.list(field.value) where challenge.value.utf8.count <= 4096 {
                precondition(DigestChallenge.list(challenge.value) == [challenge], "challenge changed on its way")
            }
            if let shown = DigestCredentials(field.value), shown.value.utf8.count <= 4096 {
                precondition(DigestCredentials(shown.value) == shown, "credentials changed on their way")
            }
        }
    }
}
