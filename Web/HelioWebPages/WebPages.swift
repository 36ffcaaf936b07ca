private import CWebPages

/// The files of `Web/viewer`, the page that shows the screen in a browser. They are compiled into the program.
package enum WebPages {
    package struct File: Sendable {
        /// The path relative to `/`, such as `session/client.js`; empty for `/` itself.
        package let path: String
        package let bytes: [UInt8]
        /// The value for the `Content-Type` header.
        package let type: String
        /// The contents of the file's `script` and `style` elements, whose hashes a content security policy has to list.
        package var inlineScripts: [[UInt8]] = []
        package var inlineStyles: [[UInt8]] = []

        /// Compresses the bytes with gzip (RFC 1952) at each call; `nil` if the result is not smaller.
        package func gzipped() -> [UInt8]? {
            guard bytes.count > 1 else { return nil }
            let smaller = [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { buffer, count in
                count = cwebpages_gzip(bytes, bytes.count, buffer.baseAddress, buffer.count)
            }
            return smaller.isEmpty ? nil : smaller
        }
    }

    package static var files: [File] {
        (0..<cwebpages_count()).map { index in
            let page = cwebpages_at(index)
            let path = String(cString: page.path)
            return File(
                path: path, bytes: Array(UnsafeBufferPointer(start: page.bytes, count: page.size)), type: type(of: path))
        }
    }

    /// The server of a page, which the page is told in its `meta` element `service`.
    package enum Service: String, Sendable {
        case host, rendezvous

        /// The element's last attribute.
        fileprivate var mark: String { "name=\"heliograph\" content=\"\(rawValue)\"" }
    }

    /// Bundles the page with its style sheet and program into one file with an empty path, which replaces all of `files`.
    package static func bundle(for service: Service = .host) throws(PageBundle.Failure) -> File {
        var contents = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) })
        let page = String(decoding: contents["index.html"] ?? [], as: UTF8.self)
        let parts = page.split(separator: Service.host.mark, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw PageBundle.Failure.missing(Service.host.mark) }
        contents["index.html"] = Array(parts.joined(separator: service.mark).utf8)
        let bundle = try PageBundle(of: contents)
        return File(
            path: "", bytes: bundle.bytes, type: type(of: "index.html"), inlineScripts: [bundle.script],
            inlineStyles: [bundle.style])
    }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html"?: "text/html; charset=utf-8"
        case "css"?: "text/css; charset=utf-8"
        case "js"?: "text/javascript; charset=utf-8"
        case "json"?, "webmanifest"?: "application/json"
        case "svg"?: "image/svg+xml"
        case "png"?: "image/png"
        default: "application/octet-stream"
        }
    }
}
