private import ArgumentParser
private import Foundation

/// The arguments of a call, together with those of the configuration file.
enum ConfiguredArguments {
    /// Returns the arguments to parse.
    ///
    /// - Parameter typed: the arguments as they were typed, without the program's name.
    static func make(_ typed: [String]) throws -> [String] {
        guard let name = typed.first, let type = command(name), !asksForHelp(typed) else { return typed }
        if let exception = type as? any NotConfigured.Type, exception.onlyTyped == nil { return typed }
        // Without a file the catalog is needed only to leave out what it would say.
        if !ConfigFile.isWanted, Heliograph.fault(of: typed) == nil { return typed }
        let catalog = try OptionCatalog()
        guard let command = catalog.command(name) else { return typed }
        let (rest, left) = takeExceptions(Array(typed.dropFirst()), command)
        guard let file = try ConfigFile.read(mustExist: true) else { return [name] + rest }
        do throws(ConfigFault) {
            return try ConfigMerge(command, ConfigContents(file.document, catalog)).arguments(rest, leaving: left)
        } catch {
            throw ValidationError(error.text)
        }
    }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        Heliograph.configuration.subcommands.first { $0.configuration.commandName == name }
    }

    private static func asksForHelp(_ typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains { ["-h", "--help", "--version"].contains($0) }
    }

    /// Takes away `--no-KEY`, which leaves out what the file says of a key; and for a key `no-KEY`, `--KEY`.
    private static func takeExceptions(
        _ typed: [String], _ command: OptionCatalog.Command
    ) -> (rest: [String], left: Set<String>) {
        var left: Set<String> = []
        let end = typed.firstIndex(of: "--") ?? typed.count
        let rest = typed.enumerated().filter { index, word in
            guard index < end, word.hasPrefix("--"), !command.options.contains(word),
                let key = command.keys.first(where: { word == opposite(of: $0.name) })
            else { return true }
            left.insert(key.name)
            return false
        }
        return (rest.map(\.element), left)
    }

    /// The word that leaves out what the file says of a key.
    static func opposite(of name: String) -> String {
        name.hasPrefix("no-") ? "--\(name.dropFirst("no-".count))" : "--no-\(name)"
    }
}

extension Heliograph {
    /// Parses arguments. Returns the sentence of what is wrong with them, or `nil`.
    static func fault(of arguments: [String]) -> String? {
        do {
            _ = try parseAsRoot(arguments)
            return nil
        } catch {
            return message(for: error)
        }
    }
}
