internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioUnattended
private import Heliograph

extension ServiceCommand {
    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Install the service, and start it; or install it anew with other options.",
            discussion: """
                All other options are those of 'heliograph share', such as --view-only or --rendezvous; files are named by \
                whole paths. The service finds the display by itself, unless --display names one.
                """)

        /// The folder of the machine's service with its key and pairings, which the unit's `StateDirectory` makes.
        static let systemHome = "/var/lib/heliograph"

        @OptionGroup var scope: ScopeArguments

        @OptionGroup var monitor: MonitorArguments

        @Flag(help: "Don't start it now: it starts at the next log-in, or the machine's next start.")
        var noStart = false

        @Argument(parsing: .allUnrecognized, help: "Options of 'heliograph share'.")
        var options: [String] = []

        func validate() throws { _ = try words() }

        func run() throws {
            try scope.checkUser()
            let words = try words()
            guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
                throw ValidationError("There is no systemd on this system.")
            }
            if scope.system, let weakness = ProgramPath.weakness(of: program) {
                throw ValidationError(
                    "--system: others than root can change \(weakness), and root is to run that program. Install the "
                        + "package first, or copy the program to /usr/local/bin.")
            }
            let unit = ServiceUnit(
                scope.scope, program: program,
                arguments: ["service", "run"] + (scope.system ? ["--system"] : []) + monitor.words + ["--"] + words,
                environment: environment,
                comment: [
                    "Written by 'heliograph service install', which replaces it; 'heliograph service remove' removes it."
                ])
            let manager = scope.manager
            do {
                try manager.install(unit, starts: !noStart)
            } catch {
                guard manager.isInstalled else { throw error }
                throw ValidationError(
                    "\(error.sentence) The unit file \(manager.path) is written: 'heliograph service install' tries again."
                )
            }
            say("The service is installed\(noStart ? "" : " and runs"): \(manager.path)")
            sayWhoMayCome()
        }

        /// The options of `share` for the service. Throws if `share` would not take them, or they have a secret.
        private func words() throws -> [String] {
            let words = options.first == "--" ? Array(options.dropFirst()) : options
            let share = try parse(words)
            if share.list || share.phone.listAndroid || share.phone.androidDiagnose {
                throw ValidationError("A service can't list anything: leave that option out.")
            }
            // Everybody on this machine may ask systemd for a service's command.
            if share.publish?.contains("?") == true
                || share.broadcasting.broadcast.contains(where: { $0.contains("?") })
                || words.contains(where: ConfigSecret.isSecret)
            {
                throw ValidationError(
                    "A service's options can be read by everybody on this machine: a URL with parameters or a password "
                        + "may hold a secret, and is not taken.")
            }
            let all = words + extra(share)
            _ = try parse(all)
            return all
        }

        private func parse(_ words: [String]) throws -> ShareCommand {
            do {
                guard let share = try ShareCommand.parseAsRoot(words) as? ShareCommand else {
                    throw ValidationError("Give the options of 'heliograph share' alone.")
                }
                return share
            } catch {
                throw ValidationError(ShareCommand.message(for: error))
            }
        }

        /// The options that a service has unless others are given.
        private func extra(_ share: ShareCommand) -> [String] {
            let hasFile = share.linkFile != nil || share.web.webLinkFile != nil
            var extra = share.access.pairedOnly || hasFile ? [] : ["--paired-only"]
            guard scope.system else { return extra }
            // The machine's service has no user whose folder takes files, and no sound server: libpulse would start one.
            if !names("--files", "--files-folder") { extra += ["--files", "off"] }
            if !names("--sound", "--sound-device", "--hear") { extra += ["--sound", "off"] }
            return extra
        }

        /// Returns whether one of these options is given.
        private func names(_ names: String...) -> Bool {
            options.contains { word in names.contains { word == $0 || word.hasPrefix($0 + "=") } }
        }

        private var environment: [(name: String, value: String)] {
            let own = ProcessInfo.processInfo.environment
            var list: [(name: String, value: String)] = []
            if scope.system {
                list.append(("HELIOGRAPH_HOME", Self.systemHome))
            } else if let home = own["HELIOGRAPH_HOME"], !home.isEmpty {
                list.append(("HELIOGRAPH_HOME", home))
            }
            if let server = own[RendezvousArguments.variable], !server.isEmpty {
                list.append((RendezvousArguments.variable, server))
            }
            return list
        }

        private func sayWhoMayCome() {
            if scope.system {
                say("Its pairings: sudo HELIOGRAPH_HOME=\(Self.systemHome) heliograph devices")
                return
            }
            let devices = (try? DeviceBook().allDevices()) ?? []
            say(
                devices.isEmpty
                    ? "No device is paired yet: stop it, run 'heliograph share' here and 'heliograph pair' there, then start "
                        + "it again; or see --pair-code-file."
                    : "May come: \(devices.map(\.name).joined(separator: ", ")). 'heliograph devices' says what each may do."
            )
        }
    }
}
