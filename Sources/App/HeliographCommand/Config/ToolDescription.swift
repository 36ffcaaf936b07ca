private import ArgumentParser
private import Foundation

/// The description of this program's commands as ArgumentParser gives it (`ToolInfoV0` of `--experimental-dump-help`): the
/// one list of commands and options.
struct ToolDescription: Decodable {
    struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    struct Argument: Decodable, Equatable {
        struct Name: Decodable, Equatable {
            let kind: String
            let name: String
        }

        struct Completion: Decodable, Equatable {
            struct List: Decodable, Equatable { let values: [String] }

            /// The values of an option that has a list of them.
            let list: List?
        }

        let kind: String
        let shouldDisplay: Bool?
        let isRepeating: Bool
        let parsingStrategy: String
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let completionKind: Completion?
        let abstract: String?

        /// The names with their dashes.
        var typedNames: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
        /// The values that are allowed or offered; empty if there is no list of them.
        var choices: [String] { allValues ?? completionKind?.list?.values ?? [] }
    }

    let command: Command

    /// Reads the description. Throws only if ArgumentParser changes its form.
    static func read() throws -> ToolDescription {
        do {
            _ = try Heliograph.parseAsRoot(["--experimental-dump-help"])
        } catch {
            return try JSONDecoder().decode(Self.self, from: Data(Heliograph.fullMessage(for: error).utf8))
        }
        throw ValidationError("ArgumentParser does not describe the commands any more.")
    }
}
