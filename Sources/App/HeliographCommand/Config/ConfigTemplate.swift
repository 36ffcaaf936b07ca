internal import HelioTOML

/// The configuration file that a user begins with: every key as a comment, with its meaning and its default.
enum ConfigTemplate {
    /// The longest line of a meaning.
    private static let columns = 96

    static func text(_ catalog: OptionCatalog) -> String {
        var lines = [
            "# Settings of heliograph. A line that begins with # does nothing: take the # away to use it.",
            "#",
            "# Each key is an option of the command in brackets above it. What is typed wins over this file,",
            "# and 'heliograph COMMAND --no-KEY' leaves out what it says of a key. 'heliograph config check'",
            "# tells whether all is right. Passwords and links do not belong here: name files with them.",
        ]
        if !catalog.common.isEmpty {
            lines += ["", "# Keys that several commands have. Below a command they count for it alone.", ""]
            lines += catalog.common.flatMap(Self.lines)
        }
        for command in catalog.commands {
            let own = catalog.ownKeys(of: command)
            lines += ["", "[\(command.name)]"]
            lines += own.isEmpty ? ["# Only keys that several commands have: see above."] : own.flatMap(Self.lines)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of key: ConfigKey) -> [String] {
        TextWrap.lines(key.meaning, columns: columns - 2).map { "# \($0)" } + [
            "#\(key.name) = \(example(of: key).text)"
        ]
    }

    /// The default, or a word for the value where there is none.
    static func example(of key: ConfigKey) -> TOMLValue {
        switch key.kind {
        case .flag: .boolean(false)
        case .list: .array([.string(word(for: key))])
        case .option:
            key.mayStandAlone ? .boolean(true) : key.defaultText.map(ConfigKey.value) ?? .string(word(for: key))
        }
    }

    private static func word(for key: ConfigKey) -> String { (key.argument.valueName ?? key.name).uppercased() }
}
