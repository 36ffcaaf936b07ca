internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioViewing

/// `heliograph devices`: lists and changes the paired devices and known hosts.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List and change who may come to this machine without asking.",
        discussion: """
            A machine that shares follows within two seconds: a device that was revoked is disconnected.

            Hosts are looked for on this network and at their rendezvous servers, a second or two at most. One that is \
            online there is watched with 'heliograph view NAME', or NAME@SERVER.
            """,
        subcommands: [List.self, Rename.self, Revoke.self, Allow.self, Forget.self, MakeCode.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List paired devices and known hosts, and where the hosts are.")

        func run() async throws {
            let book = DeviceBook()
            let devices = try book.allDevices()
            say(
                devices.isEmpty
                    ? "No paired devices. To add one, run there: heliograph pair \(ProcessInfo.processInfo.hostName)"
                    : "May come here without a link:")
            for device in devices {
                // The time is shown to the minute, to distinguish devices with similar names.
                let paired = LocalTime.minute(of: device.pairedAt)
                let time = device.isVisitor ? "for a visit, \(paired)" : "since \(paired)"
                let permission = device.allowsControl ? "control" : "watch"
                let exception = device.allowsControl && !device.sharesClipboard ? ", no clipboard" : ""
                let files =
                    switch device.files {
                    case .ask: ""
                    case .always: ", files without asking"
                    case .never: ", no files"
                    }
                let hours = device.hours.map { ", at \($0.text)" } ?? ""
                let place = device.lastAddress.map { " from \($0)" } ?? ""
                let visit = device.lastVisit.map { ", last here \(LocalTime.minute(of: $0))\(place)" } ?? ""
                let kind = device.kind.map { "\($0.rawValue)   " } ?? ""
                say("  \(device.name)   \(kind)\(permission)\(exception)\(files)\(hours)   \(time)\(visit)")
            }
            let hosts = try book.allHosts()
            if !hosts.isEmpty { say("This machine may watch:") }
            if hosts.isEmpty { return }
            let whereabouts = try await HostWhereabouts.find()
            for host in hosts {
                let place = WhereaboutsLine.text(whereabouts.place(of: host), of: host)
                say("  \(host.name)   \(Authority.text(host.address, port: host.port))   \(place)")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a device another name.")
        @Argument(help: "The device's name.", completion: .custom(DeviceCompletion.devices))
        var name: String
        @Argument(help: "Its new name.")
        var new: String
        func run() throws {
            try DeviceBook().rename(name, to: new)
            say("\(name) is called \(new) now.")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a device: it comes no more, and is disconnected if it watches.")
        @Argument(help: "The device's name.", completion: .custom(DeviceCompletion.devices))
        var name: String
        func run() throws {
            try DeviceBook().revoke(name)
            say("\(name) can't come here any more.")
        }
    }

    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set what a device may do, and when: watch, or control too.",
            discussion: """
                Hours are those of this machine's clock, such as 08:00-18:00; 22:00-06:00 go on after midnight. Outside them \
                the device is refused, and disconnected if it watches.
                """)

        enum Permission: String, ExpressibleByArgument, CaseIterable {
            case watch
            case control
        }

        @Argument(help: "The device's name.", completion: .custom(DeviceCompletion.devices))
        var name: String
        @Argument(help: "watch or control. Default: as it is.")
        var permission: Permission?
        @Flag(inversion: .prefixedNo, help: "Whether the clipboard is shared with the device while it is in control.")
        var clipboard: Bool?
        @Option(
            help: "Files that the device sends: ask, always or never.", completion: .list(["ask", "always", "never"]))
        var files: String?
        @Option(help: "The hours of each day at which the device may come, such as 08:00-18:00; or any.")
        var hours: String?
        func validate() throws {
            if permission == nil, clipboard == nil, files == nil, hours == nil {
                throw ValidationError("Say what it may do: watch or control, --clipboard, --files or --hours.")
            }
            if let hours, hours != "any", AccessHours(hours) == nil {
                throw ValidationError("--hours \(hours): give a time from and to, such as 08:00-18:00, or any.")
            }
            if let files, DeviceBook.Files(rawValue: files) == nil {
                throw ValidationError("--files \(files): give ask, always or never.")
            }
        }
        func run() throws {
            let book = DeviceBook()
            if let permission { try book.allow(name, control: permission == .control) }
            if let hours { try book.allow(name, hours: AccessHours(hours)) }
            if let files = files.flatMap({ DeviceBook.Files(rawValue: $0) }) { try book.allow(name, files: files) }
            if let clipboard { try book.allow(name, clipboard: clipboard) }
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forget a host that this machine was paired with.")
        @Argument(
            help: "The host's name as in 'heliograph devices', or its address, HOST or HOST:PORT.",
            completion: .custom(DeviceCompletion.hosts))
        var host: String
        func run() throws {
            try DeviceBook().forget(host)
            say("This machine no longer knows \(host).")
            say("It may still be let in there: 'heliograph devices revoke NAME' at that machine ends that.")
        }
    }

    struct MakeCode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-code",
            abstract: "Write a fresh code into a file, for 'share --pair-code-file' and 'pair --code-file'.")
        @Argument(help: "The file; only you can read it.", completion: .file())
        var file: String
        func run() throws { try PrivateFile.write(DeviceBook.makeCode() + "\n", to: file) }
    }
}
