/// A parsed JavaScript module: its imports, its exports, and the remaining text.
///
/// Of ECMAScript's forms, only these are supported: `import {a, b} from "../folder/other.js";` or `"./other.js"` before all
/// other code, on one or several lines; and `export` before a `function`, an `async function`, a `class` or a `const` with one
/// name, at the start of a line. A template literal must not span lines, so that a line that looks like a comment is a comment.
struct PageModule {
    struct Import {
        /// The path of the imported file, relative to the page's folder, such as `folder/other.js`.
        var path: String
        var names: [String]
    }

    private(set) var imports: [Import] = []
    /// The names of the exports, in the order of their declarations.
    private(set) var exports: [String] = []
    /// The text without imports and without the keyword `export`; each line ends with a line feed.
    private(set) var body = ""

    /// - Parameter path: the module's path relative to the page's folder, which its imports are resolved against, and which
    ///   errors contain.
    init(_ text: [UInt8], path: String) throws(PageBundle.Failure) {
        guard let lines = SourceLines.code(of: text, hasLineComments: true) else {
            throw PageBundle.Failure.unsupported("a comment", of: path)
        }
        // The lines so far of an import that spans several lines.
        var importing = ""
        for line in lines {
            if Self.leavesTemplateOpen(line) { throw PageBundle.Failure.unsupported(String(line), of: path) }
            let word = line.prefix { $0.isLetter }
            if !importing.isEmpty || word == "import" {
                importing.append(contentsOf: line)
                guard line.hasSuffix(";") else { continue }
                guard body.isEmpty, let found = Self.parse(importing, in: path) else {
                    throw PageBundle.Failure.unsupported(importing, of: path)
                }
                imports.append(found)
                importing = ""
            } else if word == "export" {
                let code = line.dropFirst("export ".count)
                guard let name = Self.declared(by: code) else {
                    throw PageBundle.Failure.unsupported(String(line), of: path)
                }
                exports.append(name)
                body += "\(code)\n"
            } else {
                body += "\(line)\n"
            }
        }
        if !importing.isEmpty { throw PageBundle.Failure.unsupported(importing, of: path) }
    }

    /// Parses an `import` statement of the module at the path `own`; `nil` if its form is not supported.
    private static func parse(_ statement: String, in own: String) -> Import? {
        let (start, middle, end) = ("import {", "} from \"", "\";")
        guard statement.hasPrefix(start), statement.hasSuffix(end) else { return nil }
        let inside = statement.dropFirst(start.count).dropLast(end.count)
        guard let border = inside.firstRange(of: middle) else { return nil }
        let specifier = inside[border.upperBound...]
        let words = inside[..<border.lowerBound].split(separator: ",").map { $0.split(separator: " ") }
        // Ignore the empty name after a trailing comma.
        let names = words.filter { !$0.isEmpty }
        guard !specifier.contains("\""), let path = resolve(specifier, in: own), !names.isEmpty,
            names.allSatisfy({ $0.count == 1 && isName($0[0]) })
        else { return nil }
        return Import(path: path, names: names.map { String($0[0]) })
    }

    /// Resolves a specifier such as `./b.js` or `../c/d.js` against the module at the path `own`. Returns `nil` for other kinds
    /// of specifiers, and for a path outside the page's folder.
    private static func resolve(_ specifier: Substring, in own: String) -> String? {
        guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else { return nil }
        var parts = Array(own.split(separator: "/").dropLast())
        for part in specifier.split(separator: "/", omittingEmptySubsequences: false) {
            switch part {
            case ".": break
            case "..": if parts.popLast() == nil { return nil }
            case "": return nil
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// Returns the name that a declaration declares; `nil` for an unsupported kind of declaration.
    private static func declared(by code: Substring) -> String? {
        for start in ["function ", "async function ", "class ", "const "] where code.hasPrefix(start) {
            let name = code.dropFirst(start.count).prefix { isPartOfName($0) }
            return isName(name) ? String(name) : nil
        }
        return nil
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, !first.isNumber else { return false }
        return text.allSatisfy { isPartOfName($0) }
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "$")
    }

    /// True if a line ends within a template literal. Quotes within string literals are ignored; comments and regular
    /// expressions are treated as code.
    private static func leavesTemplateOpen(_ line: Substring) -> Bool {
        var quote: UInt8?
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return quote == UInt8(ascii: "`")
    }
}
