private import HelioCore
private import HelioOpenSSL
internal import NIOCore

/// A file of the page, held in memory. Requests open no files, so no requested path can lead to other files.
package struct PageFile: Sendable {
    /// A representation of the file, plain or compressed (RFC 9110 section 8.4).
    struct Representation {
        let content: ByteBuffer
        /// The entity tag, with its quotes, which changes with the content (RFC 9110 section 8.8.3).
        let tag: String

        init(_ bytes: [UInt8]) {
            content = ByteBuffer(bytes: bytes)
            tag = "\"\(Hexadecimal.text(Array(OpenSSLCrypto.sha256(bytes).prefix(16))))\""
        }
    }

    /// The path below `/`, such as `main.js`. A request for `/` gets the file with an empty path, or `index.html` if
    /// there is none.
    package let path: String
    /// The media type, for `Content-Type`.
    package let type: String
    let plain: Representation
    /// The file compressed by gzip; `nil` if it is sent plain only.
    let gzipped: Representation?
    /// The Content-Security-Policy sources for the page's inline scripts; `inlineStyles` has the sources for its inline
    /// styles.
    let inlineScripts: [String]
    let inlineStyles: [String]

    /// - Parameters:
    ///   - gzipped: the same bytes compressed by gzip (RFC 1952), for clients that accept it.
    ///   - inlineScripts: the text of each inline `script` of a page; no other inline script runs.
    ///   - inlineStyles: the text of each inline `style`.
    package init(
        path: String, bytes: [UInt8], type: String, gzipped: [UInt8]? = nil, inlineScripts: [[UInt8]] = [],
        inlineStyles: [[UInt8]] = []
    ) {
        self.path = path
        self.type = type
        plain = Representation(bytes)
        self.gzipped = gzipped.map { Representation($0) }
        self.inlineScripts = inlineScripts.map(Self.source)
        self.inlineStyles = inlineStyles.map(Self.source)
    }

    /// Returns the policy source that allows exactly this text (Content Security Policy Level 3, section 2.3.1).
    private static func source(_ text: [UInt8]) -> String { "'sha256-\(Base64.encode(OpenSSLCrypto.sha256(text)))'" }
}
