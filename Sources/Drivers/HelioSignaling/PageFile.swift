private import HelioCore
private import HelioOpenSSL
internal import NIOCore

/// A file of the page, held in memory: at request time no file is opened, so no path leads anywhere else.
package struct PageFile: Sendable {
    /// Below `/`, as `main.js`; `index.html` is `/` too.
    package let path: String
    /// As in `Content-Type`.
    package let type: String
    let content: ByteBuffer
    /// Changes with the content (RFC 9110 section 8.8.3), with its quotes.
    let tag: String

    package init(path: String, bytes: [UInt8], type: String) {
        self.path = path
        self.type = type
        content = ByteBuffer(bytes: bytes)
        tag = "\"\(Hexadecimal.text(Array(OpenSSLCrypto.sha256(bytes).prefix(16))))\""
    }
}
