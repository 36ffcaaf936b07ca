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
            Share this screen:          heliograph share
            See it on another machine:  heliograph view LINK
            Come back without a link:   heliograph pair HOST, then heliograph view HOST
            See who shares here:        heliograph discover
            Send files to the others:   heliograph send FILE..., and take theirs: heliograph get

            Keys and pairings are kept in ~/.local/share/heliograph, or where HELIOGRAPH_HOME says.
            """,
        version: HeliographVersion.text,
        subcommands: [
            ShareCommand.self, ViewCommand.self, SendCommand.self, GetCommand.self, DiscoverCommand.self,
            PairCommand.self, DevicesCommand.self, WakeCommand.self, ServiceCommand.self, DoctorCommand.self,
            RendezvousCommand.self, WatchdogCommand.self, WebRTCCommand.self,
        ])

    /// Runs the command named in the arguments. All output goes through `Output`, including help and errors.
    static func main() async {
        // If an output's reader has closed, its lines are lost, but the program continues.
        signal(SIGPIPE, SIG_IGN)
        var isParsed = false
        do {
            var command = try parseAsRoot()
            isParsed = true
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            Output.end(with: isParsed ? error : unknownCommand ?? error, isParsed: isParsed)
        }
        Output.end(with: nil, isParsed: true)
    }

    /// The error for a first argument that is not a command, with the command that may be meant; `nil` if the argument
    /// is a command or an option.
    private static var unknownCommand: ValidationError? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"),
            !(names + ["help"]).contains(word)
        else { return nil }
        let hint =
            if word == "version" {
                "Did you mean 'heliograph --version'?"
            } else if let name = NearestWord.find(word, in: names + ["help"]) {
                "Did you mean '\(name)'?"
            } else {
                "'heliograph help' lists the commands."
            }
        return ValidationError("There is no command '\(word)'. \(hint)")
    }
}
