import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// `heliograph share` on one X server and `heliograph view` on another, run as by a user.
final class SharedDesktop {
    let size: PixelSize
    let source: Desktop
    let destination: Desktop
    private(set) var share: RunningProgram
    private(set) var view: RunningProgram?
    let folder: URL
    /// The mDNS of both programs; `nil` disables announcing and browsing.
    private let avahi: AvahiMachine?
    /// The environments of the host's and the viewer's program.
    private let environments: (share: [String: String], view: [String: String])
    private let windowManager: RunningProgram

    /// The path of the program, built beside the test bundle.
    static var heliograph: String { RunningProgram.built("heliograph") }

    /// - Parameters:
    ///   - destination: the size of the viewer's screen, if different.
    ///   - avahi: the mDNS on which the host is announced; `nil` for no announcement.
    ///   - environments: those of the host's and the viewer's program, for example their sound servers; by default
    ///     there is no sound.
    init(
        _ size: PixelSize, destination other: PixelSize? = nil, share arguments: [String] = [],
        standardInput: FileHandle = .nullDevice, avahi: AvahiMachine? = nil,
        environments: (share: [String: String], view: [String: String]) = (noSound, noSound)
    ) throws {
        self.size = size
        self.avahi = avahi
        self.environments = environments
        source = try Desktop(size)
        destination = try Desktop(other ?? size)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        windowManager = try destination.startWindowManager()
        share = try Self.start(source, folder, arguments, standardInput, avahi, environments.share)
        try share.line(with: "--code")
    }

    /// The options that print statistics so often that waits for them are short.
    static let statistics = ["--stats", "--stats-interval", "0.1"]

    /// The environment of a program without a sound server, even if the machine has one.
    static let noSound = ["PULSE_SERVER": "unix:/nonexistent"]

    private static func start(
        _ source: Desktop, _ folder: URL, _ arguments: [String], _ standardInput: FileHandle, _ avahi: AvahiMachine?,
        _ environment: [String: String]
    ) throws -> RunningProgram {
        try source.start(
            heliograph,
            ["share", "--address", "127.0.0.1", "--port", "0", "--link-file", folder.path + "/link"]
                + (avahi == nil ? ["--no-discovery"] : []) + arguments,
            environment: environment.merging(avahi?.environment ?? [:]) { $1 }
                .merging(["HELIOGRAPH_HOME": folder.path + "/host"]) { $1 },
            standardInput: standardInput)
    }

    /// Shares again on another port, once the program has exited.
    func shareAgain(_ arguments: [String]) throws {
        _ = share.waitUntilExit()
        share = try Self.start(source, folder, arguments, .nullDevice, avahi, environments.share)
        try share.line(with: "--code")
    }

    deinit {
        view?.kill()
        share.kill()
        windowManager.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    var link: String {
        get throws {
            try String(contentsOfFile: folder.path + "/link", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Starts a viewer in full screen and waits until it shows pictures.
    ///
    /// - Parameters:
    ///   - host: the address of a paired host, which needs no link.
    ///   - statistics: the viewer's options for statistics.
    func watch(
        _ arguments: [String] = [], host: String? = nil, statistics: [String] = statistics
    ) throws {
        let target = host.map { [$0] } ?? ["--link-file", folder.path + "/link"]
        let viewer = try startViewer(target + ["--fullscreen"] + arguments, statistics: statistics)
        view = viewer
        try viewer.line(with: "Watching")
        try share.line(with: "is watching")
        try viewer.line("statistics with a picture") {
            $0.contains("framesPerSecond") && !$0.contains("\"frames\":0,")
        }
    }

    func startViewer(_ arguments: [String], statistics: [String] = statistics) throws -> RunningProgram {
        try destination.start(
            Self.heliograph, ["view"] + statistics + arguments,
            environment: environments.view.merging(avahi?.environment ?? [:]) { $1 }
                .merging(["HELIOGRAPH_HOME": folder.path + "/viewer"]) { $1 })
    }

    /// Runs the program like the viewer's user in a terminal.
    func run(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            Self.heliograph, arguments,
            environment: (avahi?.environment ?? [:]).merging(["HELIOGRAPH_HOME": folder.path + "/viewer"]) { $1 })
    }

    /// Waits until the screens' peak signal-to-noise ratio reaches this value in dB: compares them each time that the
    /// viewer's screen has changed.
    ///
    /// - Parameters:
    ///   - limit: the time-out. A test build takes seconds to refine a picture.
    ///   - place: the top left corner of the part that is shared.
    func waitForLikeness(
        _ decibels: Double, within limit: Duration = .seconds(15), size: PixelSize? = nil,
        at place: (x: Int, y: Int) = (0, 0)
    ) throws -> Double {
        let size = size ?? self.size
        var best = 0.0
        _ = try destination.wait(Patience(limit)) {
            // The last drawing here may not have been complete at the first comparison.
            best = max(best, try source.screenshot(size, at: place).psnr(try destination.screenshot(size)))
            return best >= decibels
        }
        return best
    }
}

extension RunningProgram {
    /// Waits for a time by the viewer's own clock in its statistics, in which the viewer must keep running.
    func goOn(for time: Duration) throws {
        struct Told: Decodable { var time: Double }
        var begin: Double?
        skipLines()
        try line("that it goes on for \(time)") { line in
            guard line.contains("framesPerSecond") else { return false }
            let now = try JSONDecoder().decode(Told.self, from: Data(line.utf8)).time
            begin = begin ?? now
            return begin.map { now - $0 >= time.inSeconds } ?? false
        }
    }
}
