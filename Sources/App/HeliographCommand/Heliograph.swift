internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioTerminal

/// The root command, `heliograph`.
@main
struct Heliograph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heliograph",
        abstract: "See one device's screen on another, and control it from there.",
        discussion: """
            \(sharing)See a shared screen:        heliograph view LINK
            Come back without a link:   heliograph pair HOST, then heliograph view HOST
            See who shares here:        heliograph discover
            Send files, take theirs:    heliograph send FILE..., heliograph get
            Keep what you always type:  heliograph config

            Keys and pairings are kept in ~/.local/share/heliograph, or where HELIOGRAPH_HOME says.
            """,
        version: HeliographVersion.text,
        subcommands: commands)

    #if HELIO_VIEWER
    private static let sharing = ""
    /// The commands of the viewer's own program, which shares nothing: see Package.swift.
    private static let commands: [any ParsableCommand.Type] = [
        ViewCommand.self, SendCommand.self, GetCommand.self, DiscoverCommand.self, PairCommand.self,
        DevicesCommand.self, WakeCommand.self, ConfigCommand.self,
    ]
    #else
    private static let sharing = "Share this screen:          heliograph share\n"
    private static let commands: [any ParsableCommand.Type] = [
        ShareCommand.self, ViewCommand.self, SendCommand.self, GetCommand.self, DiscoverCommand.self,
        PairCommand.self, DevicesCommand.self, WakeCommand.self, ServiceCommand.self, DoctorCommand.self,
        ConfigCommand.self, RendezvousCommand.self, WatchdogCommand.self, WebRTCCommand.self,
    ]
    #endif

    /// Runs the command named in the arguments. All output goes through `Output`, including help and errors.
    static func main() async {
        // If an output's reader has closed, its lines are lost, but the program continues.
        signal(SIGPIPE, SIG_IGN)
        #if !HELIO_VIEWER
        DesktopApp.takeOver()
        #endif
        var (isJoined, isParsed) = (false, false)
        do {
            let arguments = try ConfiguredArguments.make(Array(CommandLine.arguments.dropFirst()))
            isJoined = true
            var command = try parseAsRoot(arguments)
            isParsed = true
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            // The file's faults have nothing to do with the usage.
            let shown = isJoined && !isParsed ? unknownCommand ?? error : error
            Output.end(with: shown, isParsed: isParsed || !isJoined)
        }
        Output.end(with: nil, isParsed: true)
    }

    /// The error for an argument that is not a command where one should be, with the command that may be meant; `nil` if
    /// the arguments have none, or an option in its place.
    private static var unknownCommand: ValidationError? {
        var names = [configuration.commandName ?? ""]
        var commands = configuration.subcommands
        for word in CommandLine.arguments.dropFirst() {
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                names.append(word)
                commands = next.configuration.subcommands
                continue
            }
            let known = commands.map { $0._commandName } + (names.count == 1 ? ["help"] : [])
            return known.contains(word) ? nil : unknown(word, names.joined(separator: " "), known)
        }
        return nil
    }

    private static func unknown(_ word: String, _ command: String, _ known: [String]) -> ValidationError {
        let hint =
            if word == "version" {
                "Did you mean 'heliograph --version'?"
            } else if word == "share", command == "heliograph" {
                "This is the viewer alone; the package 'heliograph' shares as well."
            } else if let name = NearestWord.find(word, in: known) {
                "Did you mean '\(name)'?"
            } else {
                command == "heliograph" ? "'heliograph help' lists the commands." : "'\(command) --help' lists them."
            }
        return ValidationError("There is no command '\(command == "heliograph" ? "" : command + " ")\(word)'. \(hint)")
    }
}
