private import ArgumentParser
internal import HelioTOML

/// Keys as the subcommands of `heliograph config` name them.
enum ConfigKeys {
    /// Returns the key of a name. Throws a sentence with the nearest one if there is none.
    static func find(_ id: String, _ catalog: OptionCatalog) throws -> ConfigKey {
        if let key = catalog.key(id) { return key }
        let words = id.split(separator: ".", maxSplits: 1).map(String.init)
        if words.count == 2, catalog.command(words[0]) != nil {
            throw ValidationError("There is no key '\(id)'. \(ConfigContents.hint(words[1], of: words[0], catalog))")
        }
        let owners = catalog.commands.filter { command in command.keys.contains { $0.name == id } }
        let hint =
            owners.isEmpty
            ? ConfigContents.hint(words.last ?? id, of: "", catalog)
            : "Give \(owners.map { "\($0.name).\(id)" }.joined(separator: " or "))."
        throw ValidationError("There is no key '\(id)'. \(hint)")
    }

    /// The path of the file. Throws if none is wanted.
    static func path() throws -> String {
        guard let path = ConfigFile.path else {
            throw ValidationError("No file is used: \(ConfigFile.variable) is 'off'. Unset it first.")
        }
        return path
    }

    /// The file that a user begins with.
    static func template(_ catalog: OptionCatalog, _ path: String) throws -> TOMLDocument {
        try ConfigFile.parse(Array(ConfigTemplate.text(catalog).utf8), of: path)
    }

    /// Names all keys to a shell.
    @Sendable static func complete(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let catalog = try? OptionCatalog() else { return [] }
        return catalog.listed.map(\.id)
    }

    /// Names the values of the key before the word to a shell.
    @Sendable static func completeValue(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let catalog = try? OptionCatalog(), let key = words.lazy.compactMap({ catalog.key($0) }).first else {
            return []
        }
        return key.kind == .flag ? ["true", "false"] : key.argument.choices
    }
}
