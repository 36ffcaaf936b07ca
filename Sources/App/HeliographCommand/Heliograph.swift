internal import ArgumentParser
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
            Send files to the others:   heliograph send FILE..., and take theirs: heliograph get
            """,
        version: HeliographVersion.text,
        subcommands: [
            ShareCommand.self, ViewCommand.self, SendCommand.self, GetCommand.self, DiscoverCommand.self,
            PairCommand.self, DevicesCommand.self,
            WatchdogCommand.self, WebRTCCommand.self,
        ])
}
