internal import ArgumentParser
private import Foundation
private import HelioViewing

/// `heliograph pair`: pairs this machine with a host, so that it can view the host without a link.
struct PairCommand: AsyncParsableCommand, NotConfigured {
    static let onlyTyped: Set<String>? = ["code-file"]

    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Pair with a sharing machine, to watch it without a link from then on.",
        discussion: """
            Both machines show a code of six digits. Where they are the same, say so on both; where they differ, \
            somebody is in between. Without a person at the sharing machine, give the code that it was started with \
            (heliograph share --pair-code-file).

            From another network, give the whole link that the sharing machine shows with --rendezvous: its secret \
            lets this machine call, and still admits one viewer. The six digits, or the code, then pair as ever. \
            Without the link nothing tells which machine to call.
            """)

    @Argument(
        help:
            "The sharing machine's address, HOST or HOST:PORT, one of its links, or its name as in 'heliograph discover'.",
        completion: .custom(DeviceCompletion.hosts)
    )
    var host: String

    @Option(help: "What this machine is called there. Default: its host name.")
    var name: String?

    @Option(
        help: "Read the code that the sharing machine was started with from this file; - is standard input.",
        completion: .file())
    var codeFile: String?

    func run() async throws {
        let code = try codeFile.map { try PairCode.read($0, of: "--code-file") }
        if code == nil, !TerminalQuestion.isPossible {
            throw ValidationError(
                "Pairing asks on the terminal, and there is none: give the code that the sharing machine was "
                    + "started with by --code-file, or watch by its link.")
        }
        // Pairing needs only a link's address; the link's secret, which admits one viewer, is not used or shown.
        let isFar = HostPairing.reachesAfar(host)
        if isFar { ProcessTitle.hideArguments() }
        let target =
            HostPairing.namesRendezvous(host) || !host.contains("://") ? host : try HostPairing.address(in: host)
        let confirm: @Sendable (String) async -> Bool = { digits in
            let answer = await TerminalQuestion.ask(
                "\(target) is to show the code \(digits). The same digits there? [y/N]")
            let isSame = answer == "y" || answer == "yes"
            if isSame { say("Now answer at \(target) too.") }
            return isSame
        }
        let paired: String
        let allowsControl: Bool
        if isFar {
            (paired, allowsControl) = try await HostPairing.pair(
                fromAfar: host, code: code, name: name, confirm: confirm)
        } else if let found = try await HostLookup.host(called: target, prefersPaired: false) {
            let isAsAnnounced: Bool?
            (paired, allowsControl, isAsAnnounced) = try await HostPairing.pair(
                with: found, code: code, name: name, confirm: confirm)
            if isAsAnnounced == false {
                say("Note: its key is not the one that was announced for it. It is the codes that count.")
            }
        } else {
            (paired, allowsControl) = try await HostPairing.pair(
                with: target, code: code, name: name, confirm: confirm)
        }
        say("Paired with \(paired), to \(allowsControl ? "watch and control" : "watch").")
        say("Watch it with:   heliograph view \(isFar ? paired : target)")
    }
}

/// Reads the code for unattended pairing from a file, because other users can read the command line.
enum PairCode {
    /// - Parameter option: the option that names the file, for the error message.
    static func read(_ path: String, of option: String) throws -> String {
        let text = path == "-" ? readLine() : try PrivateFile.read(path, of: option)
        guard let line = text?.split(whereSeparator: \.isNewline).first else {
            throw ValidationError("\(option) \(path): there is no code in it.")
        }
        return line.trimmingCharacters(in: .whitespaces)
    }
}
