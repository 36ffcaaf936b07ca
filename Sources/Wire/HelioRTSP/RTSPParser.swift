import HelioCore

/// Splits a connection's bytes into messages (RFC 2326 sections 4 to 7), regardless of how the bytes were split in
/// transit.
///
/// Append the received bytes, then call ``next()`` until it returns `nil`. Pipelined messages and interleaved data are
/// returned in order; lines may end in LF or CR LF; empty lines before a message are skipped. Folded headers (obsolete
/// since RFC 7230) are refused. The first error is final.
package struct RTSPParser: Sendable {
    package struct Limits: Sendable {
        /// The maximum size of a line without its line ending, in bytes.
        package var line = 8 * 1024
        package var headers = 100
        /// The maximum size of start line and headers together, in bytes.
        package var head = 64 * 1024
        package var body = 64 * 1024

        package init() {}
        package init(body: Int) { self.body = body }
    }

    private enum StartLine {
        case request(RTSPMethod, uri: String)
        case response(RTSPStatus)
    }

    private let limits: Limits
    private var buffer: [UInt8] = []
    /// The offset of the first byte that is not part of a returned message.
    private var start = 0
    /// The offset up to which the buffer was searched for a line ending without success.
    private var scanned = 0
    private var failure: RTSPParseError?

    // The message in progress.
    private var startLine: StartLine?
    private var headers = RTSPHeaders()
    private var headSize = 0
    private var contentLength: Int?
    private var isHeadComplete = false

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The number of buffered bytes of an incomplete message; bounded by the limits if ``next()`` is called until it
    /// returns `nil`.
    package var bufferedByteCount: Int { buffer.count - start }

    /// Appends bytes of the stream, in order. After an error they are ignored.
    package mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message, or `nil` until more bytes arrive. After an error every further call throws it again.
    package mutating func next() throws(RTSPParseError) -> RTSPMessage? {
        if let failure { throw failure }
        do throws(RTSPParseError) {
            return try takeMessage()
        } catch {
            failure = error
            buffer = []
            start = 0
            throw error
        }
    }

    private mutating func takeMessage() throws(RTSPParseError) -> RTSPMessage? {
        while startLine == nil {
            guard start < buffer.count else { return nil }
            if buffer[start] == UInt8(ascii: "$") { return takeInterleaved() }
            guard let line = try takeLine() else { return nil }
            if !line.isEmpty { startLine = try Self.startLine(line) }
        }
        while !isHeadComplete {
            guard let line = try takeLine() else { return nil }
            if line.isEmpty { isHeadComplete = true } else { try takeHeader(line) }
        }
        let length = contentLength ?? 0
        guard buffer.count - start >= length, let first = startLine else { return nil }
        let body = Array(buffer[start..<start + length])
        consume(length)
        let head = headers
        startLine = nil
        headers = RTSPHeaders()
        headSize = 0
        contentLength = nil
        isHeadComplete = false
        switch first {
        case .request(let method, let uri):
            return .request(RTSPRequest(method, uri: uri, headers: head, body: body))
        case .response(let status):
            return .response(RTSPResponse(status, headers: head, body: body))
        }
    }

    private mutating func takeInterleaved() -> RTSPMessage? {
        guard let (channel, data) = interleaved else { return nil }
        consume(4 + data.count)
        return .interleaved(channel: channel, data)
    }

    private var interleaved: (channel: UInt8, data: [UInt8])? {
        let span = buffer.span.bytes
        guard let channel = span.uint8(at: start + 1), let length = span.uint16(at: start + 2),
            let data = span.bytes(at: start + 4, count: Int(length))
        else { return nil }
        return (channel, data)
    }

    /// The next line without its line ending, or `nil` until the line is complete.
    private mutating func takeLine() throws(RTSPParseError) -> ArraySlice<UInt8>? {
        guard let end = buffer[scanned...].firstIndex(of: 0x0A) else {
            scanned = buffer.count
            // Allow one byte more, for the CR of an incomplete line ending.
            guard buffer.count - start <= limits.line + 1 else { throw .lineTooLong }
            return nil
        }
        var line = buffer[start..<end]
        if line.last == 0x0D { line.removeLast() }
        guard line.count <= limits.line else { throw .lineTooLong }
        consume(end + 1 - start)
        if startLine != nil || !line.isEmpty { headSize += line.count + 2 }
        guard headSize <= limits.head else { throw .headTooLarge }
        return line
    }

    private mutating func consume(_ count: Int) {
        start += count
        scanned = start
    }

    private mutating func takeHeader(_ line: ArraySlice<UInt8>) throws(RTSPParseError) {
        guard headers.fields.count < limits.headers else { throw .tooManyHeaders }
        guard let text = Self.text(line) else { throw .malformedHeader }
        let (name, rest) = Text.cut(text[...], at: UInt8(ascii: ":"))
        guard Text.isToken(name), let rest else { throw .malformedHeader }
        let value = Text.trimmed(rest)
        guard Text.equalIgnoringCase(name, "Content-Length") else {
            return headers.append(String(name), String(value))
        }
        guard contentLength == nil, let length = Text.decimal(value) else { throw .badContentLength }
        guard length <= limits.body else { throw .bodyTooLarge }
        contentLength = length
    }

    private static func startLine(_ line: ArraySlice<UInt8>) throws(RTSPParseError) -> StartLine {
        guard let text = text(line) else { throw .malformedStartLine }
        let (first, rest) = Text.cut(text[...], at: 0x20)
        guard let rest else { throw .malformedStartLine }
        if first.utf8.starts(with: "RTSP/".utf8) {
            guard first == "RTSP/1.0" else { throw .unsupportedVersion }
            let (number, reason) = Text.cut(rest, at: 0x20)
            guard number.utf8.count == 3, let code = Text.decimal(number), (100..<600).contains(code) else {
                throw .malformedStartLine
            }
            return .response(RTSPStatus(code, String(reason ?? "")))
        }
        let (uri, version) = Text.cut(rest, at: 0x20)
        guard Text.isToken(first), !uri.isEmpty, let version, version.utf8.starts(with: "RTSP/".utf8) else {
            throw .malformedStartLine
        }
        guard version == "RTSP/1.0" else { throw .unsupportedVersion }
        return .request(RTSPMethod(rawValue: String(first)), uri: String(uri))
    }

    /// Reads a line as UTF-8; `nil` if it has control characters other than tabs.
    private static func text(_ line: ArraySlice<UInt8>) -> String? {
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        return String(validating: line, as: UTF8.self)
    }
}
