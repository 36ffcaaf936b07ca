internal import ArgumentParser
private import HelioCore
private import Heliograph

/// `heliograph get`
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Take the files that the other end of a session sends next.",
        discussion: """
            It answers for the session of 'heliograph share' or 'heliograph view' that runs on this machine: what the other \
            end has offered, or offers next, is taken without a question. The path of each file is printed once it is there. \
            Ctrl-C stops it.
            """)

    func run() throws {
        defer { Output.showProgress(nil) }
        try FileCommands.get { FileLine.show($0) }
    }
}
