internal import ArgumentParser
private import HelioCore
private import HelioViewing

/// `heliograph get`: accepts the files that the other end of a running session offers.
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Take the files that the other end of a session sends next.",
        discussion: """
            It answers for the session of 'heliograph share' or 'heliograph view' that runs on this machine: what the other \
            end has offered, or offers next, is taken without a question. The path of each file is printed once it is there. \
            Ctrl-C stops it.
            """)

    @Option(
        help: "Take from this end alone: a paired device's name, or an address. Default: from whoever offers.",
        completion: .custom(DeviceCompletion.all))
    var from: String?

    func run() throws {
        defer { Output.showProgress(nil) }
        try FileCommands.get(from: from) { FileLine.show($0) }
    }
}
