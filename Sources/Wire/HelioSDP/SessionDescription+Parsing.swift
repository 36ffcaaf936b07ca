extension SessionDescription {
    /// Reads a whole description. Lines end in LF or CR LF; the last line may end without them.
    package init(parsing bytes: [UInt8]) throws(SDPError) {
        var parser = Parser()
        try parser.read(bytes)
        self = try parser.finish()
    }

    /// A parser that reads line by line. RFC 8866 prescribes the order of lines: a line's rank must not be below the
    /// previous line's.
    private struct Parser {
        private var hasVersion = false
        private var hasOrigin = false
        private var hasName = false
        private var hasTime = false
        private var session = SessionDescription(origin: Origin(sessionID: 0, host: ConnectionData(.ip4, "0.0.0.0")))
        private var rank = 0

        mutating func read(_ bytes: [UInt8]) throws(SDPError) {
            guard bytes.count <= SessionDescription.maximumSize else { throw .tooLarge }
            var rest = bytes[...]
            var number = 0
            while !rest.isEmpty {
                number += 1
                guard number <= SessionDescription.maximumLines else { throw .tooManyLines }
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                var line = rest[..<end]
                if end < rest.endIndex, line.last == 0x0D { line.removeLast() }
                rest = rest[min(end + 1, rest.endIndex)...]
                try take(line, number)
            }
        }

        func finish() throws(SDPError) -> SessionDescription {
            guard hasVersion else { throw .missing("v") }
            try checkMandatoryLines()
            return session
        }

        private func checkMandatoryLines() throws(SDPError) {
            if !hasOrigin { throw .missing("o") }
            if !hasName { throw .missing("s") }
            if !hasTime { throw .missing("t") }
        }

        private mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws(SDPError) {
            guard line.count <= SessionDescription.maximumLineLength else { throw .lineTooLong(line: number) }
            guard line.count >= 3, line[line.startIndex + 1] == UInt8(ascii: "="),
                !line.contains(0x0D), !line.contains(0x00),
                let value = String(validating: line.dropFirst(2), as: UTF8.self)
            else { throw .malformed(line: number) }
            let type = Character(UnicodeScalar(line[line.startIndex]))
            if !hasVersion {
                guard type == "v" else { throw .missing("v") }
                guard value == "0" else { throw .malformed(line: number) }
                hasVersion = true
            } else if type == "m" {
                try checkMandatoryLines()
                guard session.media.count < SessionDescription.maximumMedia else { throw .tooManyMedia }
                guard let section = MediaSection(line: value) else { throw .malformed(line: number) }
                session.media.append(section)
                rank = 0
            } else {
                try advance(to: type, number)
                let understood = try session.media.isEmpty ? takeSession(type, value) : takeMedia(type, value)
                guard understood else { throw .malformed(line: number) }
            }
        }

        /// Checks a line's position: its rank must be above that of the previous line, or equal if the line may repeat.
        private mutating func advance(to type: Character, _ number: Int) throws(SDPError) {
            let inMedia = !session.media.isEmpty
            let order: [(Character, repeats: Bool)] =
                inMedia
                ? [("i", false), ("c", false), ("b", true), ("k", false), ("a", true)]
                : [
                    ("o", false), ("s", false), ("i", false), ("u", false), ("e", true), ("p", true), ("c", false),
                    ("b", true), ("t", true), ("k", false), ("a", true),
                ]
            // Repeat times (`r`) and time zones (`z`) belong to the preceding time (`t`).
            let place: Character = !inMedia && hasTime && (type == "r" || type == "z") ? "t" : type
            guard let index = order.firstIndex(where: { $0.0 == place }) else {
                throw "osiuepcbtrzka".contains(type) ? .misplaced(line: number) : .malformed(line: number)
            }
            guard order[index].repeats ? index + 1 >= rank : index + 1 > rank else { throw .misplaced(line: number) }
            if !inMedia, index > 0, !hasOrigin { throw .missing("o") }
            if !inMedia, index > 1, !hasName { throw .missing("s") }
            if !inMedia, index > 8, !hasTime { throw .missing("t") }
            rank = index + 1
        }

        private mutating func takeSession(_ type: Character, _ value: String) throws(SDPError) -> Bool {
            switch type {
            case "o":
                guard let origin = Origin(value) else { return false }
                session.origin = origin
                hasOrigin = true
            case "s":
                session.name = value
                hasName = true
            case "i": session.information = value
            case "c":
                session.connection = ConnectionData(Text.fields(value, by: 0x20)[...])
                return session.connection != nil
            case "b": return Self.append(value, to: &session.bandwidths)
            case "t":
                let fields = Text.fields(value, by: 0x20)
                hasTime = true
                return fields.count == 2 && fields.allSatisfy { Text.decimal($0) != nil }
            case "a": return try Self.append(value, to: &session.attributes)
            default: break
            }
            return true
        }

        private mutating func takeMedia(_ type: Character, _ value: String) throws(SDPError) -> Bool {
            let last = session.media.count - 1
            switch type {
            case "i": session.media[last].information = value
            case "c":
                session.media[last].connection = ConnectionData(Text.fields(value, by: 0x20)[...])
                return session.media[last].connection != nil
            case "b": return Self.append(value, to: &session.media[last].bandwidths)
            case "a": return try Self.append(value, to: &session.media[last].attributes)
            default: break
            }
            return true
        }

        private static func append(_ value: String, to list: inout [Bandwidth]) -> Bool {
            guard let bandwidth = Bandwidth(value) else { return false }
            list.append(bandwidth)
            return true
        }

        private static func append(_ value: String, to list: inout AttributeList) throws(SDPError) -> Bool {
            guard list.all.count < SessionDescription.maximumAttributes else { throw .tooManyAttributes }
            guard let attribute = Attribute(line: value) else { return false }
            list.all.append(attribute)
            return true
        }
    }
}

/// An error of parsing a session description. Lines are numbered from 1. Errors never quote the description, as it may
/// contain keys.
package enum SDPError: Error, Hashable, Sendable {
    /// The description has more than ``SessionDescription/maximumSize`` bytes.
    case tooLarge
    /// The description has more than ``SessionDescription/maximumLines`` lines.
    case tooManyLines
    /// The description has more than ``SessionDescription/maximumMedia`` sections.
    case tooManyMedia
    /// One section has more than ``SessionDescription/maximumAttributes`` attributes.
    case tooManyAttributes
    /// A line has more than ``SessionDescription/maximumLineLength`` bytes.
    case lineTooLong(line: Int)
    /// The line violates its grammar, is not UTF-8, or contains a stray CR or NUL.
    case malformed(line: Int)
    /// A known line is in the wrong place, or is repeated although only one is allowed (RFC 8866 section 5).
    case misplaced(line: Int)
    /// A mandatory line is missing: `v`, `o`, `s` or `t`.
    case missing(String)
}
