internal import ArgumentParser
private import Foundation
private import HelioTOML
private import HelioTerminal

/// `heliograph config`: explains, checks and changes the configuration file.
struct ConfigCommand: AsyncParsableCommand, NotConfigured {
    static let onlyTyped: Set<String>? = nil

    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Explain and change the file of settings.",
        discussion: """
            Without a word: where the file is, and every key with its meaning, its default and its present value.

            The file is config.toml in ~/.config/heliograph, or in heliograph below XDG_CONFIG_HOME; with HELIOGRAPH_HOME, in \
            that folder. \(ConfigFile.variable) names another one; 'off' stands for none.

            Its keys are the options of the commands without their dashes, below the command in brackets. Options that are \
            typed win over environment variables, and these over the file. 'heliograph COMMAND --no-KEY' leaves out what it \
            says of a key.
            """,
        subcommands: [Show.self, Get.self, SetKey.self, Unset.self, Edit.self, Check.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say where the file is, and list all keys.")

        @Flag(help: "A line of JSON for each key.")
        var json = false

        func run() throws {
            // A pager that is closed early ends the listing.
            signal(SIGPIPE, SIG_DFL)
            let catalog = try OptionCatalog()
            let file = try ConfigFile.read()
            let contents = file.map { ConfigContents($0.document, catalog) }
            let listing = ConfigListing(catalog, contents)
            if json {
                for line in listing.json { Output.data(line) }
                return
            }
            say(place(isThere: file != nil))
            for line in listing.text(columns: min(Output.people.size?.columns ?? 100, 100)) { say(line) }
            let count = contents?.faults.count ?? 0
            if count > 0 { Output.warn("There are \(count) faults in it: see 'heliograph config check'.") }
        }

        private func place(isThere: Bool) -> String {
            guard let path = ConfigFile.path else { return "No file is used: \(ConfigFile.variable) is 'off'." }
            return isThere
                ? path : "\(path) is not there. 'heliograph config edit' makes it, with all keys as comments."
        }
    }

    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the value of a key: that of the file, else the default.",
            discussion: "A line for each value. Ends with 1 if the key has none.")

        @Argument(help: "The key, such as share.fps.", completion: .custom(ConfigKeys.complete))
        var key: String

        func run() throws {
            let catalog = try OptionCatalog()
            let key = try ConfigKeys.find(key, catalog)
            let contents = try ConfigFile.read().map { ConfigContents($0.document, catalog) }
            let values = ConfigListing(catalog, contents).values(of: key)
            if values.isEmpty { throw ExitCode(1) }
            for value in values { Output.data(value) }
        }
    }

    struct SetKey: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Set a key in the file.")

        @Argument(help: "The key, such as share.fps.", completion: .custom(ConfigKeys.complete))
        var key: String

        @Argument(
            help: "The value; several for a key that may be given several times.",
            completion: .custom(ConfigKeys.completeValue))
        var values: [String]

        func run() throws {
            let catalog = try OptionCatalog()
            let key = try ConfigKeys.find(key, catalog)
            let path = try ConfigKeys.path()
            let document = try ConfigFile.read()?.document ?? ConfigKeys.template(catalog, path)
            let new: TOMLDocument
            do {
                let value = try key.value(of: values)
                _ = try key.arguments(for: value)
                new = try document.setting(key.table, key.name, to: value)
            } catch let problem as ConfigProblem {
                throw ValidationError(problem.sentence)
            } catch let error as TOMLError {
                throw ValidationError("\(path): \(error.sentence)")
            }
            // Other faults may have been there before.
            let faults = ConfigCheck.faults(ConfigContents(new, catalog), catalog)
            let line = new.entry(key.table, key.name)?.line
            if let fault = faults.first(where: { $0.line == line }) {
                throw ValidationError(fault.sentence)
            }
            try ConfigFile.write(new.bytes, to: path)
            say("\(path), line \(line ?? 0): \(key.name) = \(new.entry(key.table, key.name)?.value.text ?? "")")
        }
    }

    struct Unset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a key from the file, so that the default counts.")

        @Argument(help: "The key, such as share.fps.", completion: .custom(ConfigKeys.complete))
        var key: String

        func run() throws {
            let path = try ConfigKeys.path()
            let words = key.split(separator: ".", maxSplits: 1).map(String.init)
            let (table, name) = words.count == 2 ? (words[0], words[1]) : ("", key)
            // The key need not be known, so that one of another version can be removed.
            guard let document = try ConfigFile.read()?.document, document.entry(table, name) != nil else {
                throw ValidationError("\(path) has no key '\(key)'.")
            }
            try ConfigFile.write(document.removing(table, name).bytes, to: path)
            say("\(path): \(key) is no longer set.")
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what is wrong in the file.", discussion: "Ends with 1 if something is.")

        func run() throws {
            let path = try ConfigKeys.path()
            guard let file = try ConfigFile.read(mustExist: true) else {
                return say("\(path) is not there: the defaults count.")
            }
            if !ConfigCheck.isRight(file) { throw ExitCode(1) }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open the file in $VISUAL or $EDITOR, and check it after.",
            discussion: "Where there is no file, it begins with all keys as comments.")

        func run() async throws {
            let path = try ConfigKeys.path()
            if !ConfigFile.exists {
                try ConfigFile.write(ConfigKeys.template(OptionCatalog(), path).bytes, to: path)
            }
            while true {
                try ConfigEditor.edit(path)
                if ConfigCheck.isRightNow() { return }
                guard TerminalQuestion.isPossible else { throw ExitCode(1) }
                let answer = await TerminalQuestion.ask("Edit it again? [Y/n]")
                guard let answer, ["", "y", "yes"].contains(answer) else { throw ExitCode(1) }
            }
        }
    }
}
