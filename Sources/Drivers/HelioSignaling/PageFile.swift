private import HelioCore
private import HelioOpenSSL
internal import NIOCore

/// A file of the page, held in memory: a request opens no file, so no path leads anywhere else.
package struct PageFile: Sendable {
    /// A form in which the file is sent (RFC 9110 section 8.4).
    struct Representation {
        let content: ByteBuffer
        /// The entity tag, with its quotes, which changes with the content (RFC 9110 section 8.8.3).
        let tag: String

        init(_ bytes: [UInt8]) {
            content = ByteBuffer(bytes: bytes)
            tag = "\"\(Hexadecimal.text(Array(OpenSSLCrypto.sha256(bytes).prefix(16))))\""
        }
    }

    /// The path below `/`, as `session/client.js`. `index.html` is `/` too, unless there is a file of the path "", which is that.
    package let path: String
    /// The media type, for `Content-Type`.
    package let type: String
    let plain: Representation
    /// The file by gzip; `nil` where it is sent plain alone.
    let gzipped: Representation?
    /// What the policy has to allow beside the page's own files, as a source of it each.
    let inlineScripts: [String]
    let inlineStyles: [String]

    /// - Parameters:
    ///   - gzipped: the same bytes by gzip (RFC 1952), for those who take that.
    ///   - inlineScripts: what stands between the tags of each `script` of a page; no other runs.
    ///   - inlineStyles: what stands between the tags of each `style`.
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

    /// The source of a policy that allows just this text (Content Security Policy Level 3, section 2.3.1).
    private static func source(_ text: [UInt8]) -> String { "'sha256-\(Base64.encode(OpenSSLCrypto.sha256(text)))'" }
}
