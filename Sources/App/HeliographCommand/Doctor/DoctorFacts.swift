private import Foundation
private import HelioCore
internal import HelioUnattended
private import Heliograph

/// Reads the facts for the doctor from the machine; decides nothing.
enum DoctorFacts {
    private static let tool = SystemTool()

    // MARK: Ports

    /// Returns the ports with the programs that have them, as far as this user may know.
    static func ports(_ ports: [PortFact]) -> [PortFact] {
        let tables: [PortFact.Transport: [String]] = [
            .tcp: ["/proc/net/tcp", "/proc/net/tcp6"].map(text), .udp: ["/proc/net/udp", "/proc/net/udp6"].map(text),
        ]
        var facts = ports
        for index in facts.indices {
            facts[index].socket =
                (tables[facts[index].transport] ?? []).lazy
                .compactMap { facts[index].socket(in: $0) }.first
        }
        let sockets = Set(facts.compactMap(\.socket))
        let owners = sockets.isEmpty ? [:] : owners(of: sockets)
        for index in facts.indices { facts[index].owner = facts[index].socket.flatMap { owners[$0] } }
        return facts
    }

    /// Returns the names of the programs that have these sockets, by the sockets' inodes.
    private static func owners(of sockets: Set<UInt64>) -> [UInt64: String] {
        var owners: [UInt64: String] = [:]
        for process in names(in: "/proc") where Int(process) != nil {
            for descriptor in names(in: "/proc/\(process)/fd") {
                let link = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(process)/fd/\(descriptor)")
                guard let link, link.hasPrefix("socket:["), let inode = UInt64(link.dropFirst(8).dropLast()),
                    sockets.contains(inode)
                else { continue }
                owners[inode] = text("/proc/\(process)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
        return owners
    }

    // MARK: Firewall, clock, service

    static func firewall() -> FirewallFacts {
        var facts = FirewallFacts()
        facts.hasUFW = FirewallFacts.isUFWOn(text("/etc/ufw/ufw.conf"))
        if facts.hasUFW {
            let rules = text("/etc/ufw/user.rules")
            facts.ufwRules = rules.isEmpty ? nil : rules
        }
        if let state = try? tool.run(["firewall-cmd", "--state"]), state.status == 0 {
            facts.hasFirewalld = true
            if let ports = try? tool.run(["firewall-cmd", "--list-ports"]), ports.status == 0 {
                facts.firewalldPorts = ports.text.split(whereSeparator: \.isWhitespace).map(String.init)
            }
        }
        if let rules = try? tool.run(["nft", "list", "ruleset"]), rules.status == 0 { facts.nftables = rules.text }
        return facts
    }

    /// Returns whether the clock is set by the network; `nil` if systemd does not know.
    static func isClockSet() -> Bool? {
        let answer = try? tool.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
        switch answer?.text.trimmingCharacters(in: .whitespacesAndNewlines) {
        case "yes": return true
        case "no": return false
        default: return nil
        }
    }

    /// Returns the state of the service; `nil` if systemd can't be asked.
    static func service(_ scope: ServiceUnit.Scope) -> ServiceStatus? {
        let variables = ProcessInfo.processInfo.environment
        return try? ServiceManager(
            scope, home: HeliographHome.userFolder, configuration: variables["XDG_CONFIG_HOME"]
        ).status()
    }

    // MARK: Files

    /// Returns the folder of keys and pairings and the files in it; empty if there is none.
    static func keyFiles(in folder: String) -> [KeyFile] {
        guard let own = keyFile(folder), own.isFolder else { return [] }
        return [own] + names(in: folder).sorted().compactMap { keyFile(folder + "/" + $0) }.filter { !$0.isFolder }
    }

    private static func keyFile(_ path: String) -> KeyFile? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value,
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.uint32Value
        else { return nil }
        let kind = attributes[.type] as? FileAttributeType
        guard kind == .typeDirectory || kind == .typeRegular else { return nil }
        return KeyFile(path, owner: owner, permissions: permissions, isFolder: kind == .typeDirectory)
    }

    /// Returns the names of the system and its kernel.
    static func system() -> String {
        let line = text("/etc/os-release").split(whereSeparator: \.isNewline).first { $0.hasPrefix("PRETTY_NAME=") }
        let name = line.map { $0.dropFirst("PRETTY_NAME=".count).replacingOccurrences(of: "\"", with: "") }
        let kernel = text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
        return (name ?? ProcessInfo.processInfo.operatingSystemVersionString)
            + (kernel.isEmpty ? "" : ", Linux \(kernel)")
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        let data = try? file.read(upToCount: 1 << 20)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}
