import Foundation
import HelioCore
import Testing

@testable import HelioStores

@Suite("Files and folders that are one user's alone")
final class PrivatePathsTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func set(_ mode: Int, _ name: String = "") throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + name)
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch let error as HelioError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test("who owns it and who may read or write it decide, and the error says what to do")
    func exposures() {
        let user: UInt32 = 1000
        for (owner, mode, isRead, says) in [
            (user, 0o600, false, nil), (0, 0o600, false, nil), (user, 0o400, false, nil),
            (1001, 0o600, false, "chown 1000 x"), (1001, 0o644, true, "chown 1000 x"),
            (user, 0o640, false, "chmod 600 x"), (user, 0o604, false, "chmod 600 x"), (0, 0o644, false, "chmod 600 x"),
            (user, 0o644, true, nil), (user, 0o664, true, "chmod 600 x"), (user, 0o646, true, "chmod 600 x"),
        ] as [(UInt32, UInt32, Bool, String?)] {
            let found = FileStatus.exposure(
                of: "x", owner: owner, permissions: mode, mayBeRead: isRead, isFolder: false, user: user)
            #expect(says.map { found?.contains($0) == true } ?? (found == nil), "\(owner) \(mode): \(found ?? "")")
        }
        let folder = FileStatus.exposure(
            of: "x", owner: user, permissions: 0o777, mayBeRead: true, isFolder: true, user: user)
        #expect(folder?.contains("chmod 700 x") == true)
    }

    @Test("a secret's file is read where it is its owner's alone, and a pipe is too")
    func reading() throws {
        let path = folder + "/secret"
        #expect(message { _ = try PrivatePaths.read(path) }.contains("no such file"))
        try "open sesame\n".write(toFile: path, atomically: false, encoding: .utf8)
        try set(0o600, "/secret")
        #expect(try PrivatePaths.read(path) == "open sesame\n")
        for mode in [0o640, 0o604, 0o622, 0o666] {
            try set(mode, "/secret")
            #expect(message { _ = try PrivatePaths.read(path) }.contains("chmod 600 \(path)"), "\(mode)")
        }
        try String(repeating: "x", count: 4097).write(toFile: path, atomically: false, encoding: .utf8)
        try set(0o600, "/secret")
        #expect(message { _ = try PrivatePaths.read(path) }.contains("too large"))
        #expect(message { _ = try PrivatePaths.read(self.folder) }.contains("no file"))
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("sesame".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try PrivatePaths.read("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == "sesame")
    }

    @Test("an installation whose folder or certificate others can write is used by nobody")
    func home() throws {
        // The folder was not created by this program: its mode is its creator's choice.
        try set(0o755)
        let first = try Identity.loadOrCreate(in: folder)
        #expect(try Identity.loadOrCreate(in: folder).fingerprint == first.fingerprint)
        for mode in [0o777, 0o775, 0o1777] {
            try set(mode)
            #expect(message { _ = try Identity.loadOrCreate(in: self.folder) }.contains("chmod 700 \(folder)"))
            #expect(message { _ = try DeviceStore(in: self.folder).load() }.contains("chmod 700 \(folder)"))
            #expect(message { _ = try KnownHostStore(in: self.folder).load() }.contains("chmod 700 \(folder)"))
        }
        try set(0o700)
        for (name, mode) in [("/certificate.pem", 0o666), ("/certificate.pem", 0o620), ("/key.pem", 0o640)] {
            try set(mode, name)
            let said = message { _ = try Identity.loadOrCreate(in: self.folder) }
            #expect(said.contains("chmod 600 \(folder)\(name)"), "\(said)")
            try set(0o600, name)
        }
        try set(0o644, "/certificate.pem")
        #expect(try Identity.loadOrCreate(in: folder).fingerprint == first.fingerprint)
    }
}
