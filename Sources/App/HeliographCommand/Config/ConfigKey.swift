internal import HelioTOML

/// A key of the configuration file: an option of a command, or one that several commands have alike.
struct ConfigKey: Equatable {
    enum Kind: String {
        case flag
        case option
        /// An option that may be given several times.
        case list
    }

    /// The command, which is the name of the table; empty for keys of several commands, which are above all tables.
    let table: String
    /// The option without its dashes.
    let name: String
    let argument: ToolDescription.Argument

    /// - Returns: `nil` for arguments that can't be keys.
    init?(_ argument: ToolDescription.Argument, of table: String) {
        guard argument.kind != "positional", argument.shouldDisplay ?? true,
            let name = argument.names?.first(where: { $0.kind == "long" })?.name, !["help", "version"].contains(name)
        else { return nil }
        self.table = table
        self.name = name
        self.argument = argument
    }

    init(_ key: ConfigKey, of table: String) {
        self.table = table
        name = key.name
        argument = key.argument
    }

    /// The key as it is named on the command line, `share.fps`.
    var id: String { table.isEmpty ? name : "\(table).\(name)" }
    /// The option with its dashes.
    var option: String { "--\(name)" }

    var kind: Kind { argument.kind == "flag" ? .flag : argument.isRepeating ? .list : .option }

    /// True for an option whose value may be left out: `--rtsp` beside `--rtsp HOST:PORT`.
    var mayStandAlone: Bool { kind == .option && argument.parsingStrategy == "scanningForValue" }

    /// The option's description as one paragraph.
    var meaning: String { (argument.abstract ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The value that counts if none is given; `nil` if there is none, or if the description tells it in words.
    var defaultText: String? { kind == .flag || mayStandAlone ? "false" : argument.defaultValue }

    /// The default as the file would have it.
    var defaultTOML: String? {
        kind == .flag || mayStandAlone ? defaultText : defaultText.map { Self.value($0).text }
    }

    /// The environment variables that the description names as another way to set the option. The file is below them.
    var variables: [String] {
        meaning.split { !($0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_")) }.map(String.init)
            .filter { $0.hasPrefix("HELIOGRAPH_") }
    }

    /// Returns the arguments that say the same on the command line.
    func arguments(for value: TOMLValue) throws(ConfigProblem) -> [String] {
        switch (kind, value) {
        case (.flag, .boolean(true)): return [option]
        case (.flag, .boolean(false)): return inverse.map { [$0] } ?? []
        case (.flag, _): throw ConfigProblem("\(option): give true or false.")
        case (.option, .boolean(let isOn)) where mayStandAlone:
            return isOn ? ["\(option)=\(argument.defaultValue ?? "")"] : []
        case (.option, .boolean): throw ConfigProblem("\(option): give \(expected), not true or false.")
        case (.option, .array): throw ConfigProblem("\(option): give one value, not a list.")
        case (.list, .array(let values)):
            var all: [String] = []
            for value in values { all.append(try typed(value)) }
            return all
        case (.list, .boolean): throw ConfigProblem("\(option): give a list such as [\"...\", \"...\"].")
        case (.option, _), (.list, _): return [try typed(value)]
        }
    }

    /// The name that turns off a flag of two names, `--clipboard` and `--no-clipboard`.
    private var inverse: String? { argument.typedNames.first { $0 == "--no-\(name)" } }

    private var expected: String { choiceList.map { "one of \($0)" } ?? "text in quotes, or a number" }

    private var choiceList: String? { argument.choices.isEmpty ? nil : argument.choices.joined(separator: ", ") }

    private func typed(_ value: TOMLValue) throws(ConfigProblem) -> String {
        let text =
            switch value {
            case .string(let text): text
            case .integer(let number): String(number)
            case .float(let number): number.description
            case .boolean, .array: throw ConfigProblem("\(option): give \(expected) in the list.")
            }
        if ConfigSecret.isSecret(text) { throw ConfigProblem("\(option): \(ConfigSecret.sentence)") }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw ConfigProblem("\(option): there is a control character in it.")
        }
        return "\(option)=\(text)"
    }

    /// Returns the value that words of the command line mean for this key.
    func value(of words: [String]) throws(ConfigProblem) -> TOMLValue {
        if kind == .list { return .array(words.map(Self.value)) }
        guard let word = words.first, words.count == 1 else { throw ConfigProblem("\(option): give one value.") }
        guard kind == .flag || mayStandAlone else { return Self.value(word) }
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case _ where kind == .flag: throw ConfigProblem("\(option): give true or false.")
        default: return Self.value(word)
        }
    }

    /// A number where the text is one and would be written in the same way, else text.
    static func value(_ word: String) -> TOMLValue {
        if let number = Int64(word), String(number) == word { return .integer(number) }
        if let number = Double(word), number.isFinite, number.description == word { return .float(number) }
        return .string(word)
    }
}

/// A sentence about a value that does not fit its key.
struct ConfigProblem: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
