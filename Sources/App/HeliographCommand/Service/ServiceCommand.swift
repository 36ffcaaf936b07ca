internal import ArgumentParser
private import Foundation
internal import HelioCore
internal import HelioUnattended
private import Heliograph

/// `heliograph service`: shares this machine's screen while nobody is there, as a service of systemd.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Share this machine's screen while nobody is there.",
        discussion: """
            A service of systemd, which starts by itself and again after a crash: one of the user's own, which shares the \
            desktop while that user is logged in, or with --system one of the machine, which shares the log-in screen and \
            whoever logs in there, on X11.

            It lets in paired devices alone, and writes no link anywhere, unless --link-file says where.
            """,
        subcommands: [Install.self, Status.self, Logs.self, Remove.self, Run.self],
        defaultSubcommand: Status.self)

    struct ScopeArguments: ParsableArguments {
        @Flag(help: "The machine's service, with the log-in screen, instead of the user's own.")
        var system = false

        var scope: ServiceUnit.Scope { system ? .system : .user }

        var manager: ServiceManager {
            ServiceManager(
                scope, home: HeliographHome.userFolder,
                configuration: ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"])
        }

        /// Throws unless this user may change the service.
        func checkUser() throws {
            if system, geteuid() != 0 {
                throw ValidationError("--system: only root may change the machine's services.")
            }
        }
    }

    struct MonitorArguments: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Where the desktop has no monitor, make a virtual one of this size, such as 1920x1080.",
                valueName: "size"))
        var monitor: String?

        var size: PixelSize? { get throws { try monitor.map { try SizeArgument.parse($0, of: "--monitor") } } }
        var words: [String] { monitor.map { ["--monitor", $0] } ?? [] }

        func validate() throws { _ = try size }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell whether the service runs. Ends with 3 where it does not.")

        @OptionGroup var scope: ScopeArguments

        func run() throws {
            let status = try scope.manager.status()
            for sentence in status.sentences { say(sentence) }
            if !status.isInstalled {
                say("To install it: heliograph service install\(scope.system ? " --system" : "")")
            }
            if !status.isRunning { throw ExitCode(3) }
        }
    }

    struct Logs: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what the service has said, from the journal.")

        @OptionGroup var scope: ScopeArguments

        @Option(help: ArgumentHelp("The number of lines from before.", valueName: "count"))
        var lines = 100

        @Flag(help: "Show new lines as they come, until Ctrl-C.")
        var follow = false

        func validate() throws {
            if !(0...100_000).contains(lines) {
                throw ValidationError("--lines \(lines): give a number from 0 to 100000.")
            }
        }

        func run() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = scope.manager.logCommand(lines: lines, follows: follow)
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { throw ExitCode(process.terminationStatus) }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop the service, and remove it. Pairings stay: see 'heliograph devices'.")

        @OptionGroup var scope: ScopeArguments

        func run() throws {
            try scope.checkUser()
            say(try scope.manager.remove() ? "The service is removed." : "The service is not installed.")
        }
    }
}
