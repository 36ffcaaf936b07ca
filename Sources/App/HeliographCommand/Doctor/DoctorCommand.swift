internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioTerminal
private import HelioUnattended
private import Heliograph

/// `heliograph doctor`: looks at all that sharing needs on this machine, and says what to do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out what works on this machine, and what to do about the rest.",
        discussion: """
            Looks at the display, encoders and decoders (with a test picture each), sound, clipboard, discovery, ports, \
            firewall, rendezvous server, clock, keys, pairings and the service, all at once, a few seconds at most. Nothing \
            is changed, nothing secret is shown, and nothing is sent but to the rendezvous server that is named.

            Ends with 1 if something keeps this machine from sharing.

            With --json each finding is a line of JSON: check, state (ok, warning or fault), text, advice.
            """)

    @Flag(help: "A line of JSON for each finding.")
    var json = false

    @Option(help: "X display to look at, such as :0. Default: $DISPLAY.")
    var display: String?

    @OptionGroup var rendezvous: RendezvousArguments

    private struct Line: Encodable {
        var check: String
        var state: String
        var text: String
        var advice: String?
    }

    func run() async throws {
        let findings = await DoctorChecks(display: display, rendezvous: rendezvous.url).run()
        for finding in findings {
            if json {
                let line = Line(
                    check: finding.check.rawValue, state: finding.state.rawValue, text: finding.text,
                    advice: finding.advice?.text)
                if let text = try? line.jsonLine() { Output.data(text) }
            } else {
                show(finding)
            }
        }
        if findings.contains(where: { $0.state == .fault }) { throw ExitCode(1) }
    }

    private func show(_ finding: Finding) {
        let mark: TerminalText =
            switch finding.state {
            case .ok: TerminalText("ok       ", .dim)
            case .warning: TerminalText("warning  ", .bold)
            case .fault: TerminalText("fault    ", .red)
            }
        let name = finding.check.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0)
        say(mark + TerminalText(name + finding.text))
        if let advice = finding.advice { say("         " + String(repeating: " ", count: 12) + advice.text) }
    }
}
