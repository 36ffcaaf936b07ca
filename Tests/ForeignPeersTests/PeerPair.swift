import ForeignPeers
import Foundation
import HelioTestPrograms
import Testing

/// Two peers whose signaling lines a test passes between them.
struct PeerPair: Sendable {
    /// The range of the test picture's mean luma (Programs/README.md), with coding losses.
    static let luma = 75.6...83.6

    let offerer: ForeignPeer
    let answerer: ForeignPeer
    /// Rewrites a candidate in transit, in a line of its own or in a description; `nil` drops it.
    var passCandidate: @Sendable (String) -> String? = { $0 }

    /// Passes signaling lines until both ends are connected; returns the offer and the answer.
    @discardableResult
    func connect() async throws -> (offer: String, answer: String) {
        let descriptions = try await negotiate()
        for peer in [offerer, answerer] { try await peer.next("state") { $0.state == "connected" } }
        return descriptions
    }

    /// Passes the next offer, its answer and all their candidates.
    @discardableResult
    func negotiate(offeredBy other: ForeignPeer? = nil) async throws -> (offer: String, answer: String) {
        let (first, second) = other === answerer ? (answerer, offerer) : (offerer, answerer)
        let offer = passed(try #require(try await first.next("offer").sdp))
        try second.tell(.offer(offer))
        let answer = passed(try #require(try await second.next("answer").sdp))
        try first.tell(.answer(answer))
        for (from, to) in [(first, second), (second, first)] {
            while true {
                var line = try await from.next("candidate")
                let isLast = line.candidate == nil
                if let text = line.candidate, !text.isEmpty { line.candidate = passCandidate(text) }
                if isLast || line.candidate != nil { try to.tell(line) }
                if isLast { break }
            }
        }
        return (offer, answer)
    }

    /// Applies `passCandidate` to the candidates in a description: aiortc sends all of its own there, Heliograph those
    /// known so far.
    private func passed(_ sdp: String) -> String {
        sdp.split(separator: "\r\n").compactMap { line in
            guard line.hasPrefix("a=candidate:") else { return line + "\r\n" }
            return passCandidate(String(line.dropFirst(2))).map { "a=\($0)\r\n" }
        }.joined()
    }

    /// Sends messages on a channel from one end, and checks their echoes.
    func echo(from peer: ForeignPeer, on label: String, bytes: Int, count: Int, isText: Bool = false) async throws {
        let other = peer === offerer ? answerer : offerer
        try peer.tell(.send(on: label, bytes: bytes, count: count, seed: bytes, isText: isText))
        try await explained {
            #expect(try await peer.next("echoed") { $0.label == label }.count == count)
            for _ in 0..<count {
                let message = try await other.next("message") { $0.label == label }
                #expect(message.isText == isText && message.bytes == bytes && message.sha256?.count == 64)
            }
        }
    }

    /// Waits until a peer has decoded more than `count` + 20 pictures, and the newest is the test picture.
    @discardableResult
    func watch(_ peer: ForeignPeer, after count: Int = 0) async throws -> PeerLine {
        let frames = try await explained {
            try await peer.next("frames") { Self.luma.contains($0.luma ?? 0) && ($0.count ?? 0) > count + 20 }
        }
        #expect(frames.width == 320 && frames.height == 240)
        return frames
    }

    /// The number of pictures that a peer has decoded so far, whether or not its lines about them have been read.
    func pictures(at peer: ForeignPeer) async throws -> Int {
        try peer.tell(.stats)
        return try #require(try await peer.next("stats").framesReceived)
    }

    func candidatePair(of peer: ForeignPeer) async throws -> PeerLine.CandidatePair {
        try peer.tell(.stats)
        return try #require(try await peer.next("stats").candidatePair)
    }

    /// Waits until an end's selected pair uses UDP. On a busy machine checks may be late: a browser then selects TCP
    /// first, and switches to UDP once a UDP pair is found.
    func goOverToUDP(_ peer: ForeignPeer, watched viewer: ForeignPeer) async throws {
        try await explained {
            var used = try await candidatePair(of: peer)
            let patience = Patience()
            while used.local.protocol != "udp", !patience.isOver {
                try await viewer.next("frames")
                used = try await candidatePair(of: peer)
            }
            #expect(used.local.protocol == "udp" && used.remote.protocol == "udp")
        }
    }

    /// Runs `body`; an error that it throws is extended by both ends' statistics.
    private func explained<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            var text = "\(error)"
            for (name, peer) in [("offerer", offerer), ("answerer", answerer)] {
                let told: String
                do {
                    try peer.tell(.stats)
                    let line = try await peer.next("stats", within: .seconds(5))
                    told = String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
                } catch {
                    told = "\(error)"
                }
                text += "; the \(name): \(told)"
            }
            throw ForeignPeerError(description: text)
        }
    }

    func stop() async throws {
        try await offerer.stop()
        try await answerer.stop()
    }

    static func usernameFragments(_ sdp: String) -> Set<Substring> {
        Set(sdp.split(separator: "\r\n").filter { $0.hasPrefix("a=ice-ufrag:") })
    }
}
