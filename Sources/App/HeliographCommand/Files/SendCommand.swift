internal import ArgumentParser
private import HelioCore
private import HelioViewing

/// `heliograph send`: offers files and folders to the other end of a running session.
struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send files and folders to whoever is connected.",
        discussion: """
            It goes by the session of 'heliograph share' or 'heliograph view' that runs on this machine. Whoever is at the \
            other end is asked; files come to one folder there, and nothing is overwritten. What is cut off goes on once the \
            other end is back. Ctrl-C stops it.
            """)

    @Argument(help: "Files and folders.", completion: .file())
    var paths: [String]

    @Option(
        help: "Send to this viewer alone: a paired device's name, or an address. Default: to all.",
        completion: .custom(DeviceCompletion.all))
    var to: String?

    func run() throws {
        defer { Output.showProgress(nil) }
        try FileCommands.send(paths, to: to) { FileLine.show($0) }
    }
}
