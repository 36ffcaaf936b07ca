import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// `heliograph share --publish` on an X server, and the receiving server's decoded pictures.
final class PublishedDesktop {
    let folder: URL
    /// The pipe to which the server writes its pictures.
    let pictures: PicturePipe
    private let size: PixelSize
    private(set) var shared: SharedDesktop?
    private var programs: [RunningProgram] = []

    init(_ size: PixelSize) throws {
        self.size = size
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pictures = try PicturePipe(folder.path + "/pictures", size: size)
    }

    deinit {
        for program in programs { program.kill() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes a file with one line, readable only by its owner; returns its path.
    func secret(_ line: String) -> String {
        let path = folder.path + "/" + UUID().uuidString
        _ = FileManager.default.createFile(
            atPath: path, contents: Data("\(line)\n".utf8), attributes: [.posixPermissions: 0o600])
        return path
    }

    func start(_ program: String, _ arguments: [String]) throws {
        programs.append(try RunningProgram(program, arguments, environment: [:]))
    }

    @discardableResult
    func share(_ arguments: [String]) throws -> SharedDesktop {
        let new = try SharedDesktop(size, share: arguments)
        new.source.fill(SharingTests.patchwork(size))
        shared = new
        return new
    }

    /// Changes the screen once the server shows pictures, and waits until it shows the change.
    func expectScreen(decibels: Double) throws {
        let shared = try #require(shared)
        _ = try pictures.next()
        shared.source.fill(SharingTests.patchwork(size, seed: 2))
        let screen = try shared.source.screenshot(size)
        var best = 0.0
        let patience = Patience()
        while best < decibels, !patience.isOver {
            // A comparison takes longer than a picture of the server, so some are skipped. The server chooses how often
            // it repeats each.
            for _ in 0..<4 { _ = try pictures.next() }
            best = max(best, screen.psnr(try pictures.next()))
        }
        #expect(best >= decibels, "\(shared.share.text)")
    }
}
