internal import ArgumentParser
private import Foundation
private import HelioCore

/// The command line.
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
            """,
        version: HeliographVersion.text,
        subcommands: [
            ShareCommand.self, ViewCommand.self, DiscoverCommand.self, PairCommand.self, DevicesCommand.self,
            WebRTCCommand.self,
        ])

    /// An error of the library's in the form that a person at a terminal reads.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async {
        // Whoever started this may have blocked signals, which a program inherits: `kill` is to end it all the same.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as HelioError {
            exit(withError: Failure(description: error.sentence))
        } catch {
            exit(withError: error)
        }
    }
}
