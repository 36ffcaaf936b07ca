private import CWebPages

/// The files of `Web/viewer`: the page that shows the screen in a browser. They are in the program itself.
package enum WebPages {
    package struct File: Sendable {
        /// Below `/`, as `main.js`.
        package let path: String
        package let bytes: [UInt8]
        /// As in `Content-Type`.
        package let type: String
    }

    package static var files: [File] {
        (0..<cwebpages_count()).map { index in
            let page = cwebpages_at(index)
            let path = String(cString: page.path)
            return File(
                path: path, bytes: Array(UnsafeBufferPointer(start: page.bytes, count: page.size)), type: type(of: path))
        }
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
