import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The specification's suites with the real programs (rows 32 to 37).
@Suite("Share and view under a suite", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct SuiteTests {
    static let size = SharingTests.small

    @Test(
        "a known picture arrives under a suite that both ends chose",
        arguments: [("aes-256-cbc,hmac-sha256", 32), ("sm4-cbc,hmac-md5", 16)])
    func picture(suite: String, keyLength: Int) throws {
        let keys = try KeyFile(keyLength: keyLength)
        let arguments = ["--suite", suite, "--suite-key", keys.path, "--suite-required"]
        let desktop = try SharedDesktop(Self.size, share: arguments + ["--suite-mask"])
        desktop.source.fill(SharingTests.patchwork(Self.size))
        try desktop.watch(arguments)
        let name = suite.replacing(",", with: "+")
        #expect(try #require(desktop.view).text.contains("Protected by \(name) for video+audio+cmd."))
        #expect(desktop.share.text.contains("Protected by \(name)"))
        #expect(try desktop.waitForLikeness(36) >= 36)
        // Neither the process list nor the output contains a key.
        for program in [desktop.share, try #require(desktop.view)] {
            let list = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(program.processIdentifier)/cmdline"))
            #expect(!String(decoding: list, as: UTF8.self).contains(keys.hex))
            #expect(!program.text.contains(keys.hex))
        }
    }

    @Test("another key is refused with a word on what to do, and the link is good for the right one")
    func otherKey() throws {
        let keys = try KeyFile(keyLength: 16)
        let others = try KeyFile(keyLength: 16)
        let suite = ["--suite", "aes-128-cbc,hmac-sha256-128"]
        let desktop = try SharedDesktop(Self.size, share: suite + ["--suite-key", keys.path])
        let link = desktop.folder.path + "/link"
        let wrong = try desktop.startViewer(["--link-file", link] + suite + ["--suite-key", others.path])
        #expect(wrong.waitUntilExit() != 0)
        #expect(wrong.text.contains("different keys"))
        try desktop.share.line(with: "the keys of the suite differ")
        try desktop.watch(suite + ["--suite-key", keys.path])
    }

    @Test("the keys may come by the environment")
    func environment() throws {
        let keys = try KeyFile(keyLength: 16)
        let suite = ["--suite", "aes-128-cbc,hmac-md5", "--suite-scope", "video,cmd"]
        let desktop = try SharedDesktop(Self.size, share: suite + ["--suite-key", keys.path])
        let text = try String(contentsOfFile: keys.path, encoding: .utf8)
        let viewer = try desktop.destination.start(
            SharedDesktop.heliograph, ["view", "--stats", "--link-file", desktop.folder.path + "/link"] + suite,
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/viewer", "HELIOGRAPH_SUITE_KEY": text])
        defer { viewer.kill() }
        try viewer.line(with: "Protected by aes-128-cbc+hmac-md5 for video+cmd.")
        try desktop.share.line(with: "is watching")
    }

    @Test("chosen by the host alone it is off, both go on, and the host says why")
    func oneEnd() throws {
        let keys = try KeyFile(keyLength: 24)
        let desktop = try SharedDesktop(
            Self.size, share: ["--suite", "aes-192-cbc,hmac-sha256", "--suite-key", keys.path])
        try desktop.watch()
        #expect(desktop.share.text.contains("The chosen suite is off: the host chose aes-192-cbc+hmac-sha256"))
    }

    @Test("what can't be is said before anything starts")
    func mistakes() throws {
        let desktop = try SharedDesktop(Self.size)
        let keys = try KeyFile(keyLength: 16)
        let open = try KeyFile(keyLength: 16, mode: 0o644)
        let good = "aes-128-cbc,hmac-sha256"
        for (arguments, word) in [
            (["--suite", "aes-128-ecb,hmac-sha256"], "give a cipher"),
            (["--suite", good], "give its keys by --suite-key"),
            (["--suite", good, "--suite-key", "/nowhere"], "there is no such file"),
            (["--suite", good, "--suite-key", open.path], "chmod 600"),
            (["--suite", "aes-256-cbc,hmac-md5", "--suite-key", keys.path], "needs a key of 32 bytes"),
            (["--suite", good, "--suite-key", keys.path, "--suite-scope", "video,smell"], "video, audio and cmd"),
            (["--suite-required"], "give --suite too"),
        ] {
            let viewer = try desktop.startViewer([try desktop.link] + arguments)
            #expect(viewer.waitUntilExit() != 0)
            #expect(viewer.text.contains(word), "\(arguments): \(viewer.text)")
            #expect(!viewer.text.contains(keys.hex))
        }
    }
}

/// A file with a fleet's keys.
private final class KeyFile {
    let path: String
    /// The key itself in hexadecimal, to search for it in output.
    let hex: String

    init(keyLength: Int, mode: Int = 0o600) throws {
        var random = SystemRandomNumberGenerator()
        func hex(_ count: Int) -> String {
            (0..<count).map { _ in
                let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
                return digits.count == 2 ? digits : "0" + digits
            }.joined()
        }
        path = FileManager.default.temporaryDirectory.appendingPathComponent("suite-\(UUID().uuidString)").path
        self.hex = hex(keyLength)
        let text = "# our fleet\nkey=\(self.hex)\niv=\(hex(16))\nauth-key=\(hex(32))\n"
        let made = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        try #require(made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
