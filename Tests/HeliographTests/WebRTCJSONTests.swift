import Foundation
import Testing

/// `heliograph webrtc --json` is a peer like any of Tests/ForeignPeers, and meets one.
@Suite("heliograph webrtc --json", .serialized, .timeLimit(.minutes(3)))
struct WebRTCJSONTests {
    /// Connects two and proves them: messages both ways, a channel of each side, and the picture at the one that takes it.
    private func prove(_ offerer: JSONProgram, _ answerer: JSONProgram, watcher: JSONProgram) throws {
        defer {
            offerer.kill()
            answerer.kill()
        }
        for peer in [offerer, answerer] {
            try peer.tell(["type": "configure", "iceServers": [[String: Any]](), "iceTransportPolicy": "all"])
        }
        try offerer.describe("offer", to: answerer)
        try answerer.describe("answer", to: offerer)
        for peer in [offerer, answerer] { try peer.next("state") { $0["state"] as? String == "connected" } }
        try offerer.next("channel") { $0["label"] as? String == "peer" && $0["incoming"] as? Bool == false }
        try answerer.next("channel") { $0["label"] as? String == "peer" && $0["incoming"] as? Bool == true }
        try offerer.tell(["type": "send", "label": "peer", "bytes": 1000, "count": 20, "seed": 1, "text": true])
        try offerer.next("echoed") { $0["label"] as? String == "peer" && $0["count"] as? Int == 20 }
        try answerer.next("message") { $0["bytes"] as? Int == 1000 && $0["isText"] as? Bool == true }
        // A second one from the other end, with messages longer than a packet.
        try answerer.tell(["type": "open", "label": "back", "ordered": false, "protocol": "p"])
        try answerer.next("channel") { $0["label"] as? String == "back" && $0["incoming"] as? Bool == false }
        try offerer.next("channel") {
            $0["label"] as? String == "back" && $0["incoming"] as? Bool == true && $0["ordered"] as? Bool == false
                && $0["protocol"] as? String == "p"
        }
        try answerer.tell(["type": "send", "label": "back", "bytes": 50_000, "count": 20, "seed": 7])
        try answerer.next("echoed") { $0["label"] as? String == "back" && $0["count"] as? Int == 20 }
        let frames = try watcher.next("frames") {
            // The first pictures of some stacks are coded coarsely.
            $0["count"] as? Int ?? 0 > 20 && abs(($0["luma"] as? Double ?? 0) - 79.6) < 4
        }
        #expect((frames["width"] as? Int, frames["height"] as? Int) == (320, 240))
        try offerer.tell(["type": "stats"])
        let statistics = try offerer.next("stats")
        #expect(statistics["echoes"] as? Int == 20)
        #expect(statistics["messagesSent"] as? Int == 40)
        #expect(statistics["candidatePair"] is [String: Any])
        try answerer.tell(["type": "close", "label": "back"])
        for peer in [offerer, answerer] { try peer.next("channelClosed") { $0["label"] as? String == "back" } }
        #expect(try offerer.stop() == 0)
        #expect(try answerer.stop() == 0)
    }

    @Test("it offers the test picture and a channel to aiortc")
    func offers() throws {
        let ours = try JSONProgram.heliograph(
            ["offer", "--send", "test", "--max-size", "320x240", "--channel", "peer"])
        let theirs = try JSONProgram.foreign(["aiortc", "--role", "answer", "--video", "receive"])
        try prove(ours, theirs, watcher: theirs)
    }

    @Test("it answers aiortc, and decodes its picture")
    func answers() throws {
        let theirs = try JSONProgram.foreign(["aiortc", "--role", "offer", "--video", "send", "--data"])
        let ours = try JSONProgram.heliograph(["answer", "--receive"])
        try prove(theirs, ours, watcher: ours)
    }

    @Test("two of them meet")
    func twoOfOurs() throws {
        let offerer = try JSONProgram.heliograph(
            ["offer", "--send", "test", "--max-size", "320x240", "--channel", "peer"])
        let answerer = try JSONProgram.heliograph(["answer", "--receive"])
        try prove(offerer, answerer, watcher: answerer)
    }

    @Test(
        "what makes no sense ends it with an error",
        arguments: [
            ("hello", "no command"), (#"{"type":"dance"}"#, "no command 'dance'"),
            (#"{"type":"offer","sdp":"v=0"}"#, "first command is 'configure'"),
        ])
    func nonsense(line: String, says: String) throws {
        let input = Pipe()
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        let program = try RunningProgram(
            SharedDesktop.heliograph, ["webrtc", "answer", "--json", "--address", "127.0.0.1"], environment: [:],
            standardInput: input.fileHandleForReading)
        #expect(program.waitUntilExit() == 1)
        let said = try program.text.split(separator: "\n").first { $0.hasPrefix("{") }.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect((said??["text"] as? String)?.contains(says) == true, "\(program.text)")
    }
}
