import Foundation
import HelioCore
import HelioTestPrograms

/// `FarHost`'s host in one home, and any number of `heliograph view` in the other, run as by users.
final class FarDesktop {
    let host: FarHost
    let destination: Desktop
    private let windowManager: RunningProgram

    /// - Parameters:
    ///   - router: the kind of the host's router when it begins to share.
    ///   - ipv6: the homes that have IPv6 too.
    ///   - arguments: further arguments of `heliograph share`.
    ///   - code: the code by which a device pairs with the host; `nil` for none.
    init(
        host router: RouterKind = .portRestricted, ipv6: [TwoHomes.Home] = [], share arguments: [String] = [],
        code: String? = nil
    ) throws {
        host = try FarHost(host: router, ipv6: ipv6, share: arguments, code: code)
        destination = try Desktop(FarHost.size)
        windowManager = try destination.startWindowManager()
    }

    deinit { windowManager.kill() }

    var world: TwoHomes { host.world }
    private var environment: [String: String] { FarHost.environment(destination, host.folder, .viewer) }

    /// Starts a command on the viewer's machine.
    func start(_ arguments: [String]) throws -> RunningProgram {
        try world.machine(.viewer).start(SharedDesktop.heliograph, arguments, environment: environment)
    }

    /// Pairs the viewer's machine with the host, by a new link and the code.
    func pair() throws -> RunningProgram {
        try start(["pair", try host.newLink(), "--code-file", host.folder.path + "/code"])
    }

    /// The file of the hosts that the viewer's machine is paired with.
    var hosts: URL { host.folder.appending(path: "viewer/hosts.json") }

    /// Starts a viewer with a new link; the file with the link is its own.
    ///
    /// - Parameter proxy: the HTTP proxy that its network has, if any.
    func watch(_ arguments: [String] = [], proxy: String? = nil) throws -> FarViewer {
        let file = "\(host.folder.path)/link-\(UUID().uuidString)"
        _ = FileManager.default.createFile(
            atPath: file, contents: Data(try host.newLink().utf8), attributes: [.posixPermissions: 0o600])
        let began = Instant.now
        let program = try world.machine(.viewer).start(
            SharedDesktop.heliograph,
            ["view", "--link-file", file, "--fullscreen"] + SharedDesktop.statistics + arguments,
            environment: environment.merging(proxy.map { ["HTTPS_PROXY": $0] } ?? [:]) { $1 })
        return FarViewer(program, of: self, began: began)
    }
}
