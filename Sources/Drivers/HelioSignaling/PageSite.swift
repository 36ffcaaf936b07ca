internal import NIOCore
internal import NIOHTTP1

/// Decides the answer to each request: a file of a fixed set, a WebSocket, or a refusal (docs/web/protocol.md, "The
/// page").
struct PageSite {
    static let signalingPath = "/signaling"

    private let files: PageFolder
    private let names: HostNames
    private let isSecure: Bool

    init(files: [PageFile], names: HostNames, isSecure: Bool) {
        self.files = PageFolder(files)
        self.names = names
        self.isSecure = isSecure
    }

    /// - Parameter forwarded: the details from a trusted proxy's headers; `nil` if no trusted proxy forwarded the
    ///   request.
    func answer(to request: HTTPRequestHead, forwarded: ForwardedRequest? = nil) -> PageAnswer {
        let hosts = request.headers["host"]
        guard hosts.count == 1, request.uri.first == "/" else {
            return refuse(.badRequest, .malformedRequest, "Bad request.")
        }
        let host = forwarded?.host ?? hosts[0]
        let isSecure = forwarded?.isSecure ?? isSecure
        // A browser that connected by HTTPS has verified the proxy's certificate for that name, which rules out DNS
        // rebinding.
        let isProven = forwarded?.isSecure == true && forwarded?.host != nil && HostNames.isWellFormed(host)
        guard isProven || names.contain(host) else {
            return refuse(
                .forbidden, .foreignHost,
                "Forbidden: open this page by this machine's IP address, by its name, or by its name with .local. Any "
                    + "other name must be allowed where sharing starts.")
        }
        let isSignaling = request.uri == Self.signalingPath
        guard request.method == .GET || (request.method == .HEAD && !isSignaling) else {
            return refuse(
                .methodNotAllowed, .methodNotAllowed, "Method not allowed.",
                adding: [("Allow", isSignaling ? "GET" : "GET, HEAD")])
        }
        guard !Self.hasContent(request) else { return refuse(.badRequest, .malformedRequest, "Bad request.") }
        if isSignaling { return answerSignaling(request, host: host, isSecure: isSecure) }
        guard let file = files.file(at: Self.path(of: request.uri)) else {
            return refuse(.notFound, .notFound, "Not found.", closes: Self.endsConnection(request))
        }
        let answer = files.answer(with: file, to: request, host: host, isSecure: isSecure)
        return .page(
            PageResponse(
                status: answer.status, headers: answer.headers, content: answer.content,
                closes: Self.endsConnection(request), drop: nil))
    }

    /// Returns the path to look up. Removes the page's query, which only the page's scripts read, in the browser; other
    /// files have no query.
    private static func path(of uri: String) -> String {
        guard let mark = uri.firstIndex(of: "?") else { return uri }
        return ["/", "/index.html"].contains(uri[..<mark]) ? String(uri[..<mark]) : uri
    }

    /// The answer to a request that could not be parsed.
    func answer(toUnreadable error: any Error) -> PageAnswer {
        if case HTTPParserError.headerOverflow = error {
            return refuse(.requestHeaderFieldsTooLarge, .malformedRequest, "Too large.")
        }
        return refuse(.badRequest, .malformedRequest, "Bad request.")
    }

    /// The answer to a client that has requested more bytes than `PageBudget` allows.
    func answerTooMuch() -> PageAnswer {
        refuse(
            .tooManyRequests, .tooMuchAsked, "Too many requests: try again in a minute.",
            adding: [("Retry-After", "60")])
    }

    /// The answer to a client that has begun more WebSockets than `StrangerLimit` allows.
    func answerTooFast() -> PageAnswer {
        refuse(
            .tooManyRequests, .tooFast, "Too many connections: try again in a few seconds.",
            adding: [("Retry-After", "5")])
    }

    private func answerSignaling(_ request: HTTPRequestHead, host: String, isSecure: Bool) -> PageAnswer {
        let headers = request.headers
        guard Self.lists("websocket", headers[canonicalForm: "upgrade"]),
            Self.lists("upgrade", headers[canonicalForm: "connection"]),
            headers["sec-websocket-version"] == ["13"]
        else {
            return refuse(
                .upgradeRequired, .badUpgrade, "This is for WebSockets.",
                adding: [("Upgrade", "websocket"), ("Connection", "upgrade"), ("Sec-WebSocket-Version", "13")])
        }
        let keys = headers["sec-websocket-key"]
        guard request.version == .http1_1, keys.count == 1, Self.isKey(keys[0]) else {
            return refuse(.badRequest, .badUpgrade, "Bad request.")
        }
        // A browser sends the page's own origin, which no page can forge.
        let own = (isSecure ? "https://" : "http://") + host.lowercased()
        let origins = headers["origin"]
        guard origins.count == 1, origins[0].lowercased() == own || isOfAllowedName(origins[0].lowercased()) else {
            return refuse(
                .forbidden, .foreignOrigin,
                "Forbidden: only this machine's own page may connect. A proxy, or its name, must be allowed where "
                    + "sharing starts.")
        }
        return .webSocket
    }

    /// True for an origin whose host the user has allowed: behind a proxy, the scheme and port that the browser used,
    /// and maybe the host, differ from those of the proxy's own connection.
    private func isOfAllowedName(_ origin: String) -> Bool {
        for scheme in ["https://", "http://"] where origin.hasPrefix(scheme) {
            return names.allows(String(origin.dropFirst(scheme.count)))
        }
        return false
    }

    private func refuse(
        _ status: HTTPResponseStatus, _ drop: SignalingDrop, _ reason: String, adding more: [(String, String)] = [],
        closes: Bool = true
    ) -> PageAnswer {
        var headers = PageHeaders.all(connectsTo: nil, isTrustworthy: isSecure)
        headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        let content = ByteBuffer(string: reason + "\n")
        headers.add(name: "Content-Length", value: "\(content.readableBytes)")
        headers.add(contentsOf: more)
        return .page(PageResponse(status: status, headers: headers, content: content, closes: closes, drop: drop))
    }

    private static func endsConnection(_ request: HTTPRequestHead) -> Bool {
        // The decoder reads no further input as HTTP after an upgrade request.
        !request.isKeepAlive || request.version != .http1_1 || request.headers.contains(name: "upgrade")
    }

    static func hasContent(_ request: HTTPRequestHead) -> Bool {
        request.headers.contains(name: "transfer-encoding")
            || request.headers["content-length"].contains { $0 != "0" }
    }

    private static func lists(_ token: String, _ values: [Substring]) -> Bool {
        values.contains { $0.lowercased() == token }
    }

    /// True for a WebSocket key: 16 bytes in base 64 (RFC 6455 section 4.1).
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes.count == 24 && bytes.suffix(2) == Array("==".utf8)[...]
            && bytes.prefix(22).allSatisfy {
                digits.contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            }
    }
}
