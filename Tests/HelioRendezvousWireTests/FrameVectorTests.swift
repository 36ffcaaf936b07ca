import Foundation
import HelioCore
import HelioRendezvousWire
import Testing

/// The frames of Testing/Vectors/rendezvous-frames.json, which the page is tested with too.
@Suite("Golden frames of the rendezvous")
struct FrameVectorTests {
    private struct Vectors: Decodable {
        struct Frame: Decodable {
            var name: String
            var bytes: String
        }

        var frames: [Frame]

        static func load() throws -> [String: [UInt8]] {
            let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/rendezvous-frames.json")
            let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file.standardized))
            return Dictionary(uniqueKeysWithValues: vectors.frames.map { ($0.name, Hexadecimal.bytes($0.bytes) ?? []) })
        }
    }

    private static let call = Examples.call
    private static let entries = [
        TURNEntry(url: "turn:t.example:3478", username: "1:é", credential: ""),
        TURNEntry(url: "stun:s.example", username: "", credential: ""),
    ]

    private static let client: [String: ClientFrame] = {
        var frames: [String: ClientFrame] = [
            "ring": .ring(call, Examples.device, Examples.token), "message to host": .message(call, [1, 2, 3]),
        ]
        for reason in HangUpReason.allCases { frames["hang up \(reason.rawValue)"] = .hangUp(call, reason) }
        return frames
    }()

    private static let server: [String: ServerFrame] = {
        var frames: [String: ServerFrame] = [
            "challenge": .challenge(version: 1, nonce: Examples.bytes(32, from: 7)),
            "registered": .registered(Examples.device), "rung": .rung(call, Examples.tag, address: "192.0.2.1"),
            "ringing": .ringing(call), "presence": .presence(Examples.device, .offline, secondsAgo: 0x0A0B_0C0D),
            "turn none": .turn(call, [], seconds: 0), "turn": .turn(call, entries, seconds: 86_400),
            "message": .message(call, [4, 5]), "data": .data(call, [0]), "draining": .draining(seconds: 30),
        ]
        for reason in HangUpReason.allCases { frames["hung up \(reason.rawValue)"] = .hungUp(call, reason) }
        for reason in RefusalReason.allCases { frames["refused \(reason.rawValue)"] = .refused(reason) }
        return frames
    }()

    @Test("Each is written as it is there, and read as it was meant")
    func golden() throws {
        let vectors = try Vectors.load()
        for (name, frame) in Self.client {
            let bytes = try #require(vectors[name], "\(name)")
            #expect(frame.serialised() == bytes, "\(name)")
            #expect(try ClientFrame.parse(bytes.span.bytes) == frame, "\(name)")
        }
        for (name, frame) in Self.server {
            let bytes = try #require(vectors[name], "\(name)")
            #expect(frame.serialised() == bytes, "\(name)")
            #expect(try ServerFrame.parse(bytes.span.bytes) == frame, "\(name)")
        }
        #expect(vectors.count == Self.client.count + Self.server.count, "each is one of them")
    }
}
