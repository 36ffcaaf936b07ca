/// A module of the page's program: what it takes from others, what it gives, and all else of it.
///
/// Of ECMAScript's ways to do either these are known: `import {a, b} from "../folder/other.js";`, or `"./other.js"`, before
/// all else, on one line or several, and `export` before a `function`, an `async function`, a `class` or a `const` of one name, each at the
/// margin. No template literal spans lines, so that what looks like a comment is one.
struct PageModule {
    struct Import {
        /// The file that it is from, below the page's folder, as `folder/other.js`.
        var path: String
        var names: [String]
    }

    private(set) var imports: [Import] = []
    /// The names that others may take, in their order.
    private(set) var exports: [String] = []
    /// The text without its imports, and without the word `export`; each line has its end.
    private(set) var body = ""

    /// - Parameter path: below the page's folder: what its imports are relative to, and what errors name.
    init(_ text: [UInt8], path: String) throws(PageBundle.Failure) {
        guard let lines = SourceLines.code(of: text, hasLineComments: true) else {
            throw PageBundle.Failure.unsupported("a comment", of: path)
        }
        // An import whose end was not yet there.
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

    /// Reads `import {a, b} from "./other.js";`, as a module of the path `own` has it.
    private static func parse(_ statement: String, in own: String) -> Import? {
        let (start, middle, end) = ("import {", "} from \"", "\";")
        guard statement.hasPrefix(start), statement.hasSuffix(end) else { return nil }
        let inside = statement.dropFirst(start.count).dropLast(end.count)
        guard let border = inside.firstRange(of: middle) else { return nil }
        let specifier = inside[border.upperBound...]
        let words = inside[..<border.lowerBound].split(separator: ",").map { $0.split(separator: " ") }
        // A comma may stand behind the last.
        let names = words.filter { !$0.isEmpty }
        guard !specifier.contains("\""), let path = resolve(specifier, in: own), !names.isEmpty,
            names.allSatisfy({ $0.count == 1 && isName($0[0]) })
        else { return nil }
        return Import(path: path, names: names.map { String($0[0]) })
    }

    /// The file that a module of the path `own` means by `./b.js` or `../c/d.js`; `nil` for any other kind of specifier, and
    /// where it leaves the page's folder.
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

    /// The one name that a declaration gives; `nil` where it is of another kind.
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

    /// True where a line ends within a template literal. Strings are passed over; a comment or a regular expression is
    /// taken for code.
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
