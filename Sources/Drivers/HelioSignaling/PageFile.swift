private import HelioCore
private import HelioOpenSSL
internal import NIOCore

/// A file of the page, held in memory: a request opens no file, so no path leads anywhere else.
package struct PageFile: Sendable {
    /// The path below `/`, as `main.js`; `index.html` is `/` too.
    package let path: String
    /// The media type, for `Content-Type`.
    package let type: String
    let content: ByteBuffer
    /// The entity tag, with its quotes, which changes with the content (RFC 9110 section 8.8.3).
    let tag: String

    package init(path: String, bytes: [UInt8], type: String) {
        self.path = path
        self.type = type
        content = ByteBuffer(bytes: bytes)
        tag = "\"\(Hexadecimal.text(Array(OpenSSLCrypto.sha256(bytes).prefix(16))))\""
    }
}
