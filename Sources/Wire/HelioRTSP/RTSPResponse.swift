/// A response (RFC 2326 section 7). Its description omits headers and body, as both may contain a secret.
package struct RTSPResponse: Hashable, Sendable {
    package var status: RTSPStatus
    package var headers: RTSPHeaders
    package var body: [UInt8]

    package init(_ status: RTSPStatus, headers: RTSPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func serialised() -> [UInt8] {
        RTSPMessage.serialised(start: "RTSP/1.0 \(status.code) \(status.reason)", headers, body)
    }
}

extension RTSPResponse: CustomStringConvertible {
    package var description: String { "\(status) cseq=\(headers["CSeq"] ?? "-") body=\(body.count)" }
}
