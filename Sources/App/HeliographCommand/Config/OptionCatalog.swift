private import ArgumentParser

/// The keys of the configuration file, made from the commands' own options.
struct OptionCatalog {
    struct Command {
        let name: String
        let keys: [ConfigKey]
        /// Values for the positional arguments, with which the command is parsed to check the file alone.
        let placeholders: [String]
        /// All options with their dashes, those that can't be in the file among them.
        let options: Set<String>
    }

    /// The commands that have keys, in the order of the help.
    let commands: [Command]
    /// The keys that mean the same in each command that has them. Above the tables they count for all of these.
    let alike: [ConfigKey]
    /// The options that more than one command has.
    let common: [ConfigKey]

    init() throws { self.init(try ToolDescription.read()) }

    init(_ description: ToolDescription) {
        commands = (description.command.subcommands ?? []).compactMap(Self.command)
        let all = commands.flatMap(\.keys).map { ConfigKey($0, of: "") }
        let named = Dictionary(grouping: all) { $0.name }
        var seen: Set<String> = []
        alike = all.filter { key in
            named[key.name, default: []].allSatisfy { $0 == key } && seen.insert(key.name).inserted
        }
        common = alike.filter { named[$0.name, default: []].count > 1 }
    }

    private static func command(_ description: ToolDescription.Command) -> Command? {
        guard description.shouldDisplay ?? true, description.commandName != "help" else { return nil }
        let type = Heliograph.configuration.subcommands.first {
            $0.configuration.commandName == description.commandName
        }
        let arguments = description.arguments ?? []
        var keys = arguments.compactMap { ConfigKey($0, of: description.commandName) }
        if let exception = type as? any NotConfigured.Type {
            guard let names = exception.onlyTyped else { return nil }
            keys.removeAll { names.contains($0.name) }
        }
        guard !keys.isEmpty else { return nil }
        return Command(
            name: description.commandName, keys: keys,
            placeholders: arguments.filter { $0.kind == "positional" }.map { $0.choices.first ?? "placeholder" },
            options: Set(arguments.flatMap(\.typedNames)))
    }

    func command(_ name: String) -> Command? { commands.first { $0.name == name } }

    /// The keys of a table; of those above the tables with "". Empty if there is no such table.
    func keys(of table: String) -> [ConfigKey] { table.isEmpty ? alike : command(table)?.keys ?? [] }

    /// All keys, in the order of the listing: the common ones, then each command's own.
    var listed: [ConfigKey] { common + commands.flatMap { ownKeys(of: $0) } }

    /// The keys of a command that are not common ones.
    func ownKeys(of command: Command) -> [ConfigKey] {
        command.keys.filter { key in !common.contains { $0.name == key.name } }
    }

    /// Returns the key of a name as the command line gives it, `share.fps`; `nil` if there is none.
    func key(_ id: String) -> ConfigKey? {
        let words = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (table, name) = words.count == 2 ? (words[0], words[1]) : ("", id)
        return keys(of: table).first { $0.name == name }
    }
}
