package import NIOCore
package import NIOHTTP1

/// The files of a page, and the answers to requests for them: compressed where the client takes that, checked anew each
/// time, and restricted to the browser features that the page needs.
package struct PageFolder: Sendable {
    /// The answer to a request for a file.
    package struct Answer {
        package var status: HTTPResponseStatus
        package var headers: HTTPHeaders
        /// Empty for `HEAD`, and for a client that has the file already.
        package var content: ByteBuffer
    }

    private let files: [String: PageFile]

    /// - Parameter files: the file with an empty path, or else `index.html`, is also that of `/`.
    package init(_ files: [PageFile]) {
        var byPath: [String: PageFile] = [:]
        for file in files { byPath["/" + file.path] = file }
        if byPath["/"] == nil { byPath["/"] = byPath["/index.html"] }
        self.files = byPath
    }

    /// Returns the file at a path; `nil` if there is none.
    package func file(at path: some StringProtocol) -> PageFile? { files[String(path)] }

    /// - Parameters:
    ///   - host: the host and port by which the client knows this server; well-formed.
    ///   - isSecure: true for a client that has connected by HTTPS.
    package func answer(
        with file: PageFile, to request: HTTPRequestHead, host: String, isSecure: Bool
    ) -> Answer {
        var headers = PageHeaders.all(
            connectsTo: Self.connectSource(host, isSecure), isTrustworthy: isSecure || HostNames.isLoopback(host),
            scripts: file.inlineScripts, styles: file.inlineStyles)
        // Caches may serve a copy only to clients that accept its coding.
        if file.gzipped != nil { headers.add(name: "Vary", value: "Accept-Encoding") }
        let takesGzip = ContentCoding.acceptsGzip(request.headers[canonicalForm: "accept-encoding"])
        let gzipped = takesGzip ? file.gzipped : nil
        let sent = gzipped ?? file.plain
        headers.add(name: "ETag", value: sent.tag)
        let isKnown = Self.knows(request, sent.tag)
        if !isKnown {
            headers.add(name: "Content-Type", value: file.type)
            if gzipped != nil { headers.add(name: "Content-Encoding", value: "gzip") }
            headers.add(name: "Content-Length", value: "\(sent.content.readableBytes)")
        }
        let sendsContent = !isKnown && request.method == .GET
        return Answer(
            status: isKnown ? .notModified : .ok, headers: headers,
            content: sendsContent ? sent.content : ByteBuffer())
    }

    /// Returns the policy source for WebSockets, for browsers whose `'self'` excludes them; `nil` for an IPv6 address,
    /// or another host that a source can't contain.
    private static func connectSource(_ host: String, _ isSecure: Bool) -> String? {
        let isPlain = host.utf8.allSatisfy { byte in
            let (digits, letters) = (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"))
            return digits.contains(byte) || letters.contains(byte | 0x20) || "-.:_".utf8.contains(byte)
        }
        return isPlain ? (isSecure ? "wss://" : "ws://") + host.lowercased() : nil
    }

    /// True if `If-None-Match` has the tag of the content to be sent (RFC 9110 section 13.1.2).
    private static func knows(_ request: HTTPRequestHead, _ tag: String) -> Bool {
        request.headers[canonicalForm: "if-none-match"].contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}
