import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph webrtc`, as run by users and scripts.
@Suite("heliograph webrtc", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct WebRTCToolTests {
    static let size = PixelSize(width: 320, height: 240)

    @Test("the test picture is saved by the other side, and a message comes back")
    func testPicture() throws {
        let pair = try WebRTCPair(
            offer: ["--send", "test", "--max-size", "\(Self.size)", "--channel", "chat"], answer: ["--echo"])
        try pair.answer.line(with: "Connected: host ")
        try pair.offer.line(with: "Channel 'chat' is open")
        try pair.type("hello \u{2192} there")
        try pair.answer.line(with: "chat: hello \u{2192} there")
        try pair.offer.line(with: "chat: hello \u{2192} there")
        // More than 40, as some of them may be encoded again: see below.
        try pair.waitForPictures(45)
        for name in ["offer", "answer"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: pair.folder.path + "/" + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        let pictures = try CodedPictures(try pair.finish(), size: Self.size)
        #expect(pictures.count >= 40)
        let numbers = (0..<pictures.count).map { pictures.number(of: $0) }
        // A picture is encoded again if a keyframe is requested before the next one. A keyframe that is encoded in
        // parallel has the screen as it was when it was begun, and the next picture all that has changed since.
        var newest = -1
        for (number, next) in zip(numbers, numbers.dropFirst() + [Int.max]) {
            #expect(number >= newest || next >= newest, "\(numbers)")
            newest = max(newest, number)
        }
        #expect(Set(numbers).count >= 40)
        for (picture, number) in numbers.enumerated() {
            let start = number * 4 % 288
            let bar = try #require(pictures.bar(of: picture))
            #expect(abs(bar.lowerBound - start) <= 2 && abs(bar.upperBound - start - 32) <= 2, "\(number): \(bar)")
            #expect(abs(pictures.mean(of: picture) - 79.6) < 4)
        }
    }

    @Test("the screen is sent", arguments: ["420", "444"])
    func screen(chroma: String) throws {
        let size = PixelSize(width: 640, height: 480)
        let desktop = try Desktop(size)
        desktop.fill(SharingTests.patchwork(size))
        let pair = try WebRTCPair(
            offer: ["--send", "screen", "--chroma", chroma], answer: [], display: desktop.display)
        try pair.offer.line(with: "Sending 640x480")
        let before = try pair.waitUntilStill()
        desktop.fill(SharingTests.patchwork(size, seed: 2))
        try pair.waitUntilStill(after: before)
        let wanted = try desktop.screenshot(size)
        let pictures = try CodedPictures(try pair.finish(), size: size, format: "bgr0")
        #expect(wanted.psnr(pictures.lastScreenshot) > (chroma == "444" ? 38 : 33))
    }

    @Test("the picture that comes is shown in a window")
    func window() throws {
        let desktop = try Desktop(PixelSize(width: 640, height: 480))
        let manager = try desktop.startWindowManager()
        defer { manager.kill() }
        let folder = try WebRTCPair.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let common = [
            "--address", "127.0.0.1", "--offer-file", folder.path + "/offer", "--answer-file", folder.path + "/answer",
        ]
        let offer = try desktop.start(
            SharedDesktop.heliograph, ["webrtc", "offer", "--play", "--seconds", "60"] + common)
        let answer = try desktop.start(
            SharedDesktop.heliograph, ["webrtc", "answer", "--send", "test", "--max-size", "320x240"] + common)
        defer {
            offer.kill()
            answer.kill()
        }
        try answer.line(with: "Sending 320x240")
        var bright = 0
        _ = try desktop.wait {
            let shown = try desktop.screenshot(PixelSize(width: 640, height: 480))
            // The bar has 32x210 pixels, and no other part of the desktop is as bright, except for a frame.
            bright = (0..<640).reduce(0) { sum, x in
                sum + (0..<480).count { shown.color(x: x, y: $0).green > 225 && shown.color(x: x, y: $0).green < 250 }
            }
            return bright >= 500
        }
        #expect(bright >= 500)
        answer.kill(SIGINT)
        #expect(offer.waitUntilExit() == 0)
        #expect(offer.text.contains("The other side has left."))
    }

    @Test("it ends when its time is up")
    func time() throws {
        let pair = try WebRTCPair(offer: ["--channel", "chat", "--seconds", "0.5"], answer: [])
        #expect(pair.offer.waitUntilExit() == 0)
        #expect(pair.offer.text.contains("The time is up."))
        #expect(pair.answer.waitUntilExit() == 0)
    }

    @Test("it ends by itself when the other side vanishes without a word", .tags(.nightly))
    func vanished() throws {
        let pair = try WebRTCPair(
            offer: ["--send", "test", "--max-size", "\(Self.size)", "--channel", "chat"], answer: ["--echo"])
        try pair.waitForPictures(1)
        pair.offer.kill()
        try pair.answer.line(with: "The other side does not answer; it may come back.")
        // Consent to send expires after 30 s (RFC 7675).
        #expect(pair.answer.waitUntilExit() != 0)
        #expect(pair.answer.text.contains("There is no connection"))
    }

    @Test("one side may only wait to be found, and not both", arguments: [(true, false), (false, true), (true, true)])
    func lite(offer: Bool, answer: Bool) throws {
        let pair = try WebRTCPair(
            offer: ["--channel", "chat"] + (offer ? ["--lite"] : []),
            answer: ["--echo"] + (answer ? ["--lite"] : []))
        if offer, answer {
            #expect(pair.answer.waitUntilExit() != 0)
            #expect(pair.answer.text.contains("give --lite at one of them"))
            return
        }
        try pair.offer.line(with: "Channel 'chat' is open")
        try pair.type("hello")
        try pair.offer.line(with: "chat: hello")
        _ = try pair.finish()
    }

    @Test("a person carries the lines from terminal to terminal")
    func terminals() throws {
        let (first, second) = (try Terminal(), try Terminal())
        let offer = try RunningProgram(
            SharedDesktop.heliograph,
            ["webrtc", "offer", "--address", "127.0.0.1", "--channel", "chat", "--send", "test"], environment: [:],
            standardInput: first.side)
        let answer = try RunningProgram(
            SharedDesktop.heliograph, ["webrtc", "answer", "--address", "127.0.0.1", "--echo"], environment: [:],
            standardInput: second.side)
        defer {
            offer.kill()
            answer.kill()
        }
        try offer.line(with: "Paste this line at the other side")
        _ = try offer.line()
        let line = try offer.line()
        try answer.line(with: "Paste the line")
        second.type(line + "\n")
        try answer.line(with: "Paste this line back")
        _ = try answer.line()
        try first.type(answer.line() + "\n")
        try offer.line(with: "Channel 'chat' is open")
        first.type("by hand\n")
        try offer.line(with: "chat: by hand")
        offer.kill(SIGINT)
        #expect(offer.waitUntilExit() == 0)
        #expect(answer.waitUntilExit() == 0)
        #expect(answer.text.contains("The other side has left."))
    }

    @Test(
        "what a person gets wrong is told",
        arguments: [
            (["offer"], "nothing in the offer"), (["offer", "--send", "film"], "'screen'"),
            (["offer", "--send", "test", "--fps", "0"], "1 to 240"),
            (["offer", "--send", "test", "--bitrate", "much"], "--bitrate much"),
            (["offer", "--send", "test", "--chroma", "422"], "420 or 444"),
            (["answer", "--port", "70000"], "0 to 65535"),
            (["answer", "--address", "here"], "no IP address"),
            (["answer", "--seconds", "-1"], "--seconds"),
            (["answer", "--offer-file", "/tmp/x"], "both --offer-file and --answer-file"),
            (["answer", "--offer-file", "/tmp/x", "--answer-file", "/tmp/x"], "two different files"),
            (["answer", "--save", "/nowhere/file"], "can't be written"),
            (["answer", "--json", "--play"], "--json goes without"),
            (["answer", "--lite", "--relay-only"], "give one of them"),
            (["answer", "--relay-only"], "--ice-server turn:HOST"),
            (["answer", "--ice-server", "http://example.org"], "no ICE server"),
            (["answer", "--ice-server", "turn:127.0.0.1"], "--turn-credentials FILE"),
            (["answer", "--ice-server", "turn:anna:sesame@127.0.0.1"], "--turn-credentials FILE"),
            (["answer", "--turn-credentials", "/dev/null"], "--ice-server turn:HOST"),
            (["answer", "--ice-server", "turn:127.0.0.1", "--turn-credentials", "/nowhere/file"], "no such file"),
            (["answer", "--ice-server", "turn:127.0.0.1", "--turn-credentials", "OPEN"], "chmod 600"),
            (["answer", "--ice-server", "turn:127.0.0.1", "--turn-credentials", "BROKEN"], "USER:PASSWORD"),
            (["answer", "--ice-server", "turn:127.0.0.1"], "--turn-secret FILE"),
            (["answer", "--turn-secret", "/dev/null"], "--ice-server turn:HOST"),
            (["answer", "--ice-server", "turn:127.0.0.1", "--turn-secret", "/nowhere/file"], "no such file"),
            (["answer", "--ice-server", "turn:127.0.0.1", "--turn-secret", "OPEN"], "chmod 600"),
            (
                ["answer", "--ice-server", "turn:127.0.0.1", "--turn-secret", "a", "--turn-credentials", "b"],
                "give one of them"
            ),
            (["offer", "--send", "screen", "--display", ":nowhere"], ":nowhere"),
            (["offer", "--channel", "x", "--offer-file", "OFFER", "--answer-file", "OPEN"], "is there already"),
            (
                ["offer", "--channel", "x", "--offer-file", "/nowhere/a", "--answer-file", "/nowhere/b"],
                "can't be written"
            ),
        ])
    func refusals(arguments: [String], says: String) throws {
        let folder = try WebRTCPair.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text, mode) in [("OPEN", "anna:sesame", 0o644), ("BROKEN", "sesame", 0o600)] {
            _ = FileManager.default.createFile(
                atPath: folder.path + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        }
        let program = try RunningProgram(
            SharedDesktop.heliograph,
            ["webrtc"] + arguments.map { ["OPEN", "BROKEN", "OFFER"].contains($0) ? folder.path + "/" + $0 : $0 },
            environment: [:])
        #expect(program.waitUntilExit() != 0)
        #expect(program.text.contains(says), "\(program.text)")
        #expect(!program.text.contains("sesame"), "no secret is repeated")
    }

    @Test(
        "what is pasted wrong is told",
        arguments: [
            ("hello", "That is not an offer"), ("", "Standard input has ended"),
            (Data(#"{"type":"answer","sdp":"v=0"}"#.utf8).base64EncodedString(), "an offer is needed"),
            (Data(#"{"type":"offer","sdp":"v=0"}"#.utf8).base64EncodedString(), "descriptions don't fit"),
        ])
    func wrongLines(line: String, says: String) throws {
        let input = Pipe()
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        try input.fileHandleForWriting.close()
        let program = try RunningProgram(
            SharedDesktop.heliograph, ["webrtc", "answer", "--address", "127.0.0.1"], environment: [:],
            standardInput: input.fileHandleForReading)
        #expect(program.waitUntilExit() != 0)
        #expect(program.text.contains(says), "\(program.text)")
    }

    @Test("the password for a TURN server is nowhere to be seen")
    func secrets() throws {
        let folder = try WebRTCPair.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = FileManager.default.createFile(
            atPath: folder.path + "/turn", contents: Data("anna\nopen-sesame\n".utf8),
            attributes: [.posixPermissions: 0o600])
        // At the end of its input the program would end, too.
        let input = Pipe()
        // Nobody listens there: the offer is finally made without the server.
        let program = try RunningProgram(
            SharedDesktop.heliograph,
            [
                "webrtc", "offer", "--channel", "chat", "--address", "127.0.0.1", "--ice-server",
                "turn:127.0.0.1:9?transport=tcp", "--turn-credentials", folder.path + "/turn",
            ], environment: [:], standardInput: input.fileHandleForReading)
        defer {
            program.kill()
            try? input.fileHandleForWriting.close()
        }
        try program.line(with: "Paste this line at the other side")
        _ = try program.line()
        let line = try program.line()
        let process = "/proc/\(program.processIdentifier)"
        for name in ["cmdline", "environ"] {
            let bytes = try #require(FileManager.default.contents(atPath: "\(process)/\(name)"))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("turn") == (name == "cmdline"))
            #expect(!text.contains("sesame"))
        }
        let decoded = try #require(Data(base64Encoded: line))
        let offer = String(decoding: decoded, as: UTF8.self)
        #expect(offer.contains("v=0") && !offer.contains("sesame"))
        #expect(!program.text.contains("sesame"))
    }
}
