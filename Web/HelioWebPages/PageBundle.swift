/// The page as one file: its style, its icon and its program stand in it, so that one exchange brings all of it. Where a
/// network loses packets, each exchange may cost seconds.
///
/// The program's modules stand one after the other, none before those that it imports from, each in the scope of a
/// function that returns what it exports: `const $bytes_bytes = (() => { … return {concat, isEqual}; })();`, and
/// `const {concat} = $bytes_bytes;` where it was imported. That is what modules do as long as none is needed before it has
/// run, so there is no way around a cycle.
package struct PageBundle: Sendable {
    /// Why files can't be joined.
    package enum Failure: Error, Equatable {
        case missing(String)
        /// A line that `PageModule` has no rule for.
        case unsupported(String, of: String)
        case notExported(String, by: String)
        /// A module that imports itself by way of others.
        case cycle(String)
        /// HTML would take something in the text for the end of the element that it stands in.
        case endsElement(of: String)
        /// The page names no program, or no style.
        case incomplete
    }

    /// The page, in UTF-8.
    package let bytes: [UInt8]
    /// What stands between the tags of its one `script`: a policy may name it by its hash.
    package let script: [UInt8]
    /// What stands between the tags of its one `style`.
    package let style: [UInt8]

    /// - Parameters:
    ///   - page: the page that names the others by `link` and `script`, each on a line of its own.
    ///   - files: the bytes of all, by path below the page's folder, as `session/client.js`.
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

    // MARK: What the page names

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

    /// The picture as an address that holds it (RFC 2397).
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

    /// True where a text can't stand in a `script` or `style`: nothing is escaped there, the first thing that looks like
    /// the end is it, and what looks like a comment changes the rules (HTML, section 13.2.5.4 and those after it).
    private static func endsElement(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: "<") else { return false }
            // In small letters; what are no letters of these stay what they are.
            let next = bytes[(index + 1)...].prefix(7).map { $0 | 0x20 }
            return ["/script", "script", "/style", "!--"].contains { next.starts(with: $0.utf8) }
        }
    }

    // MARK: The program

    private static func program(_ entry: String, of files: [String: [UInt8]]) throws(Failure) -> String {
        var modules: [String: PageModule] = [:]
        var order: [String] = []
        // Each with the number of its imports that were gone into: none stands twice on the way to the one at hand.
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

    /// A module as a statement that runs it.
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

    /// The constant that holds a module's exports, as `$session_client`. No name of the modules' own begins so, and no part
    /// of a path has a low line.
    private static func constant(_ path: String) throws(Failure) -> String {
        let name = path.hasSuffix(".js") ? path.dropLast(3) : ""
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts where part.isEmpty || !part.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            throw Failure.unsupported("its name", of: path)
        }
        return "$\(parts.joined(separator: "_"))"
    }
}
