import Foundation
import HelioCore
import HelioTestPrograms

/// A host that serves its page on port 8080 of one machine, and a second machine beside it.
final class NetworkedHost {
    let size = PixelSize(width: 640, height: 480)
    let host: NetworkMachine
    let viewer: NetworkMachine
    private let screen: Desktop
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("heliograph-\(UUID().uuidString)")
    private let share: RunningProgram

    /// - Parameters:
    ///   - addresses: the addresses of the host's machine, with prefix lengths.
    ///   - others: those of the other machine.
    init(_ addresses: [String], beside others: [String]) throws {
        host = try NetworkMachine()
        viewer = try NetworkMachine(beside: host)
        try NetworkMachine.connect(.init(host, "left", addresses), .init(viewer, "right", others))
        screen = try Desktop(size)
        share = try host.start(
            RunningProgram.built("heliograph"), ["share", "--web", "8080", "--no-discovery"],
            environment: ["DISPLAY": screen.display, "HELIOGRAPH_HOME": folder.path])
    }

    deinit {
        share.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the next link for a browser: each is valid once, and then the next one is printed.
    func nextLink() throws -> String {
        try share.line(with: "To watch in a browser:").split(separator: " ").last.map { String($0) } ?? ""
    }
}
