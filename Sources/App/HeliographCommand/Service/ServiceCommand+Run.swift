internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioGround
private import HelioUnattended
private import Heliograph

extension ServiceCommand {
    /// The service itself, which systemd runs.
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the desktop, share it, and follow it as people log in and out: what the service runs.",
            shouldDisplay: false)

        @OptionGroup var scope: ScopeArguments

        @OptionGroup var monitor: MonitorArguments

        @Argument(parsing: .postTerminator, help: "Options of 'heliograph share', behind '--'.")
        var options: [String] = []

        func run() async throws {
            StopSignals.take()
            let user = scope.system ? 0 : geteuid()
            let survey = SessionSurvey(
                user: user, home: HeliographHome.userFolder, variables: ProcessInfo.processInfo.environment)
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            // Once the first device is paired, the owner of its code removes that.
            let code = FileOption("--pair-code-file")
            await ServiceLoop(survey, scope: scope.scope, monitor: try monitor.size, program: program) {
                ["share"] + code.removed(from: options, unless: FileManager.default.fileExists)
            }.run()
        }
    }
}
