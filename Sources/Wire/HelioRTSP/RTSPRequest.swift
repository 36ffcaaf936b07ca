/// A request (RFC 2326 section 6). Its description omits URI, headers and body, as each may contain a secret.
package struct RTSPRequest: Hashable, Sendable {
    package var method: RTSPMethod
    /// The URI: absolute, or `*`.
    package var uri: String
    package var headers: RTSPHeaders
    package var body: [UInt8]

    package init(_ method: RTSPMethod, uri: String, headers: RTSPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.uri = uri
        self.headers = headers
        self.body = body
    }

    package func serialised() -> [UInt8] {
        let uri = uri.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        return RTSPMessage.serialised(start: "\(method.rawValue) \(uri) RTSP/1.0", headers, body)
    }
}

extension RTSPRequest: CustomStringConvertible {
    package var description: String {
        "\(method.rawValue) cseq=\(headers["CSeq"] ?? "-") body=\(body.count)"
    }
}
