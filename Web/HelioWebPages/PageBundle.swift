/// The web page as a single file with its style sheet, icon and program inlined, so that one HTTP exchange loads all of it. On
/// a network that loses packets, each exchange may take seconds.
///
/// The program's modules follow one another, each after the modules that it imports. Each becomes a function whose return value
/// is the module's exports: `const $bytes_bytes = (() => { … return {concat, isEqual}; })();`. An import becomes `const
/// {concat} = $bytes_bytes;`. This has the same effect as modules unless modules import each other in a cycle, which is an
/// error.
package struct PageBundle: Sendable {
    /// The reason why the files can't be bundled.
    package enum Failure: Error, Equatable {
        case missing(String)
        /// A line that `PageModule` does not support.
        case unsupported(String, of: String)
        case notExported(String, by: String)
        /// A module that imports itself, directly or through other modules.
        case cycle(String)
        /// The text contains characters that HTML could treat as the end of the enclosing `script` or `style` element.
        case endsElement(of: String)
        /// The page has no program or no style sheet.
        case incomplete
    }

    /// The page's bytes, in UTF-8.
    package let bytes: [UInt8]
    /// The content of the page's only `script` element, for its hash in a content security policy.
    package let script: [UInt8]
    /// The content of the page's only `style` element, for its hash in a content security policy.
    package let style: [UInt8]

    /// - Parameters:
    ///   - page: the page, which refers to the other files by `link` and `script` elements, each on its own line.
    ///   - files: the content of all files, by their paths relative to the page's folder, such as `session/client.js`.
    package init(_ page: String = "index.html", of files: [String: [UInt8]]) throws(Failure) {
        guard let markup = files[page] else { throw Failure.missing(page) }
        var text = ""
        var program: String?
        var look: String?
        for line in SourceLines.split(markup) {
            let tag = SourceLines.unindented(line)
            if tag.hasPrefix("<link rel=\"modulepreload\" ") { continue }
            if tag.hasPrefix("<!--"), tag.hasSuffix("-->") { continue }
            if program == nil, let name = Self.name(in: tag, after: Self.scriptStart, before: Self.scriptEnd) {
                let joined = try Self.program(name, of: files)
                text += "<script type=\"module\">\(joined)</script>\n"
                program = joined
            } else if look == nil, let name = Self.name(in: tag, after: Self.styleStart, before: "\">") {
                let joined = try Self.style(name, of: files)
                text += "<style>\(joined)</style>\n"
                look = joined
            } else if let name = Self.name(in: tag, after: Self.iconStart, before: Self.iconEnd),
                let icon = files[name]
            {
                text += "\(Self.iconStart)\(Self.address(ofSVG: icon))\(Self.iconEnd)\n"
            } else {
                text += "\(line)\n"
            }
        }
        guard let program, let look else { throw Failure.incomplete }
        bytes = Array(text.utf8)
        script = Array(program.utf8)
        style = Array(look.utf8)
    }

    // MARK: References to the other files

    private static let scriptStart = "<script type=\"module\" src=\""
    private static let scriptEnd = "\"></script>"
    private static let styleStart = "<link rel=\"stylesheet\" href=\""
    private static let iconStart = "<link rel=\"icon\" href=\""
    private static let iconEnd = "\" type=\"image/svg+xml\">"

    private static func name(in tag: Substring, after start: String, before end: String) -> String? {
        guard tag.hasPrefix(start), tag.hasSuffix(end) else { return nil }
        return String(tag.dropFirst(start.count).dropLast(end.count))
    }

    private static func style(_ name: String, of files: [String: [UInt8]]) throws(Failure) -> String {
        guard let text = files[name] else { throw Failure.missing(name) }
        guard let lines = SourceLines.code(of: text, hasLineComments: false) else {
            throw Failure.unsupported("a comment", of: name)
        }
        let style = lines.joined(separator: "\n")
        if endsElement(style) { throw Failure.endsElement(of: name) }
        return style
    }

    /// Returns the image as a `data:` URL (RFC 2397).
    private static func address(ofSVG bytes: [UInt8]) -> String {
        var text = "data:image/svg+xml,"
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
                UInt8(ascii: ":"), UInt8(ascii: "="):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    /// True if a text can't be the content of a `script` or `style` element. HTML does not unescape this content, ends it at
    /// the first text that looks like the end tag, and parses it by other rules after `<!--` (HTML, section 13.2.5.4 and
    /// following).
    private static func endsElement(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: "<") else { return false }
            // Convert ASCII letters to lower case; the other characters of the strings below are not affected.
            let next = bytes[(index + 1)...].prefix(7).map { $0 | 0x20 }
            return ["/script", "script", "/style", "!--"].contains { next.starts(with: $0.utf8) }
        }
    }

    // MARK: The program

    private static func program(_ entry: String, of files: [String: [UInt8]]) throws(Failure) -> String {
        var modules: [String: PageModule] = [:]
        var order: [String] = []
        // The import path to the current module: each module with the number of its imports that were visited. No module occurs
        // twice.
        var way: [(path: String, done: Int)] = [(entry, 0)]
        while let (path, done) = way.last {
            let module: PageModule
            if let known = modules[path] {
                module = known
            } else {
                guard let text = files[path] else { throw Failure.missing(path) }
                module = try PageModule(text, path: path)
                modules[path] = module
            }
            guard done < module.imports.count else {
                order.append(path)
                way.removeLast()
                continue
            }
            way[way.count - 1].done += 1
            let next = module.imports[done].path
            if way.contains(where: { $0.path == next }) { throw Failure.cycle(next) }
            if !order.contains(next) { way.append((next, 0)) }
        }
        var program = ""
        for path in order {
            guard let module = modules[path] else { throw Failure.missing(path) }
            let text = try scope(module, path, beside: modules, isEntry: path == entry)
            if endsElement(text) { throw Failure.endsElement(of: path) }
            program += text
        }
        return program
    }

    /// Returns a statement that runs a module and, except for the entry module, stores its exports in a constant.
    private static func scope(
        _ module: PageModule, _ path: String, beside modules: [String: PageModule], isEntry: Bool
    ) throws(Failure) -> String {
        let own = try constant(path)
        var text = isEntry ? "(() => {\n" : "const \(own) = (() => {\n"
        for taken in module.imports {
            let given = modules[taken.path]?.exports ?? []
            for name in taken.names where !given.contains(name) { throw Failure.notExported(name, by: taken.path) }
            let other = try constant(taken.path)
            text += "const {\(taken.names.joined(separator: ", "))} = \(other);\n"
        }
        text += module.body
        if !isEntry { text += "return {\(module.exports.joined(separator: ", "))};\n" }
        return text + "})();\n"
    }

    /// Returns the name of the constant for a module's exports, such as `$session_client`. It is unique: the modules' own names
    /// do not start with `$`, and path components do not contain underscores.
    private static func constant(_ path: String) throws(Failure) -> String {
        let name = path.hasSuffix(".js") ? path.dropLast(3) : ""
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts where part.isEmpty || !part.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            throw Failure.unsupported("its name", of: path)
        }
        return "$\(parts.joined(separator: "_"))"
    }
}
