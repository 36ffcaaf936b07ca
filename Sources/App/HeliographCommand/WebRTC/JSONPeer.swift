private import Foundation
private import HelioCore
internal import HelioWebRTC
internal import Heliograph

/// `heliograph webrtc --json`: a peer that is controlled by lines of JSON, in the protocol of the test programs for
/// third-party peers (Tests/ForeignPeers/Programs/README.md).
actor JSONPeer {
    /// An error that ends the peer.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let arguments: WebRTCArguments
    private let kind: SignalledDescription.Kind
    private let screen: ScreenStream.Options?
    private let endpoint: WebRTCEndpoint
    private let over: AsyncStream<(any Error)?>.Continuation
    private var options: PeerConnection.Options
    private var peer: PeerConnection?
    private var events: Task<Void, Never>?
    private var sender: PictureSender?
    private let meter = FrameMeter()
    private var decoder: PictureDecoder?
    private var decodedTrack: ReceivedTrack?
    private let wishes = KeyframeWishes()
    private var channels: [JSONChannel] = []
    private var received = PeerCounts()
    /// The number of messages sent on channels that are closed now; `formerEchoes` is the number of their echoes.
    private var former = PeerCounts()
    private var formerEchoes = 0
    private var lastState: String?

    /// True while a description is being made; candidates are held until it is printed.
    private var isDescribing = false
    private var heldCandidates: [String?] = []
    private var mid: String?

    static func run(
        _ arguments: WebRTCArguments, as kind: SignalledDescription.Kind, _ options: PeerConnection.Options,
        _ screen: ScreenStream.Options?, on endpoint: WebRTCEndpoint
    ) async throws {
        let (ends, over) = AsyncStream.makeStream(of: (any Error)?.self)
        let peer = JSONPeer(arguments, kind, options, screen, endpoint, over)
        // The two tasks are never joined, as their waits for events can't be cancelled.
        Task {
            await StopSignals.wait()
            over.yield(nil)
        }
        Task {
            do {
                try await peer.obey()
                over.yield(nil)
            } catch {
                over.yield(error)
            }
        }
        for await end in ends {
            await peer.close()
            guard let end else { return await peer.tell("closed") }
            PeerLines.say("error", ["text": "\(end)"])
            throw end
        }
    }

    private init(
        _ arguments: WebRTCArguments, _ kind: SignalledDescription.Kind, _ options: PeerConnection.Options,
        _ screen: ScreenStream.Options?, _ endpoint: WebRTCEndpoint, _ over: AsyncStream<(any Error)?>.Continuation
    ) {
        self.arguments = arguments
        self.kind = kind
        self.options = options
        self.screen = screen
        self.endpoint = endpoint
        self.over = over
    }

    // MARK: Commands

    private func obey() async throws {
        let input = InputLines(mostBytes: 1 << 24)
        while let line = try await input.next() {
            if line.allSatisfy(\.isWhitespace) { continue }
            let command: PeerCommand
            do {
                command = try JSONDecoder().decode(PeerCommand.self, from: Data(line.utf8))
            } catch {
                throw Failure(description: "a line of standard input is no command: JSON with a 'type' is needed")
            }
            if command.type == "stop" { return }
            try await obey(command)
        }
    }

    private func obey(_ command: PeerCommand) async throws {
        switch command.type {
        case "configure": try await configure(command)
        case "offer":
            let peer = try configured()
            isDescribing = true
            try await peer.takeOffer(try command.need(command.sdp, "sdp"))
            if let screen, sender == nil {
                sender = PictureSender(try await peer.addVideoTrack(stream: "heliograph"), screen)
            }
            try await describe("answer") { try await peer.makeAnswer() }
        case "answer": try await configured().takeAnswer(try command.need(command.sdp, "sdp"))
        case "candidate": try await configured().addCandidate(command.candidate)
        case "open": try await open(command)
        case "send":
            let sending = JSONChannel.Sending(
                bytes: max(0, try command.need(command.bytes, "bytes")), count: max(0, command.count ?? 1),
                seed: command.seed ?? 0, isText: command.text ?? false)
            await (try channel(command.need(command.label, "label"))).send(sending)
        case "close": await (try channel(command.need(command.label, "label"))).channel.close()
        case "stats": await tellStatistics()
        case "restart":
            let peer = try configured()
            isDescribing = true
            try await describe("offer") { try await peer.makeOffer(restartsICE: true) }
        default: throw Failure(description: "there is no command '\(command.type)'")
        }
    }

    private func configured() throws -> PeerConnection {
        guard let peer else { throw Failure(description: "the first command is 'configure'") }
        return peer
    }

    private func configure(_ command: PeerCommand) async throws {
        guard peer == nil else { throw Failure(description: "a second 'configure'") }
        for server in command.iceServers ?? [] {
            for url in server.urls.all {
                options.iceServers.append(
                    ICEServer(url, username: server.username ?? "", password: server.credential ?? ""))
            }
        }
        if command.iceTransportPolicy == "relay" { options.usesRelaysOnly = true }
        let peer = try await endpoint.connect(options)
        self.peer = peer
        events = Task {
            for await event in peer.events {
                do {
                    try await take(event)
                } catch {
                    over.yield(error)
                }
            }
        }
        Task {
            for await _ in wishes.all {
                if let decodedTrack { await peer.needKeyframe(on: decodedTrack) }
            }
        }
        guard kind == .offer else { return }
        if let screen {
            sender = PictureSender(try await peer.addVideoTrack(stream: "heliograph"), screen)
        } else if arguments.receive {
            try await peer.receiveVideo()
        }
        for label in arguments.channel { _ = entry(of: try await peer.openChannel(label)) }
        isDescribing = true
        try await describe("offer") { try await peer.makeOffer() }
    }

    /// Prints a description, then the candidates that were found while it was made.
    private func describe(_ type: String, _ make: () async throws -> String) async throws {
        let sdp = try await make()
        mid = sdp.split(whereSeparator: \.isNewline).first { $0.hasPrefix("a=mid:") }.map { String($0.dropFirst(6)) }
        PeerLines.say(type, ["sdp": sdp])
        isDescribing = false
        for candidate in heldCandidates { tell(candidate) }
        heldCandidates = []
    }

    private func tell(_ candidate: String?) {
        PeerLines.say("candidate", ["candidate": candidate, "sdpMid": candidate == nil ? nil : mid])
    }

    private func open(_ command: PeerCommand) async throws {
        var wanted = DataChannel.Options()
        wanted.isOrdered = command.ordered ?? true
        if let count = command.maxRetransmits { wanted.reliability = .retransmissions(count) }
        wanted.subprotocol = command.protocol ?? ""
        let channel = try await configured().openChannel(try command.need(command.label, "label"), wanted)
        _ = entry(of: channel)
    }

    /// Returns the newest channel with a label. Throws an error if there is none.
    private func channel(_ label: String) throws -> JSONChannel {
        for entry in channels.reversed() where entry.channel.label == label { return entry }
        throw Failure(description: "there is no channel '\(label)'")
    }

    private func entry(of channel: DataChannel) -> JSONChannel {
        if let known = channels.first(where: { $0.channel == channel }) { return known }
        let over = over
        let made = JSONChannel(channel, onFailure: { over.yield($0) })
        channels.append(made)
        return made
    }

    /// Removes a closed channel, and adds its counts to `former`.
    private func forget(_ channel: DataChannel) async {
        guard let place = channels.firstIndex(where: { $0.channel == channel }) else { return }
        let entry = channels.remove(at: place)
        former.add(await entry.sent)
        formerEchoes += await entry.echoes
    }

    // MARK: Events

    private func take(_ event: PeerEvent) async throws {
        switch event {
        case .negotiationNeeded, .failure, .relayFailed, .serverUnusable, .sound: break
        case .candidate(let candidate): if isDescribing { heldCandidates.append(candidate) } else { tell(candidate) }
        case .state(let state):
            if [.connected, .failed, .closed].contains(state) { tell(state.rawValue) }
            if state == .connected, let sender {
                let over = over
                _ = try await sender.begin(onFailure: { over.yield($0) })
            }
        case .channelOpened(let channel): await entry(of: channel).opened()
        case .message(let channel, let message):
            received.add(message)
            try await entry(of: channel).take(message)
        case .channelClosed(let channel):
            await forget(channel)
            PeerLines.say("channelClosed", ["label": channel.label])
        case .video(let picture): await decode(picture)
        case .keyframeNeeded: await sender?.requestKeyframe()
        case .estimatedBitrate(let bits): await sender?.setBitrate(bits)
        }
    }

    private func tell(_ state: String) {
        guard state != lastState else { return }
        lastState = state
        PeerLines.say("state", ["state": state])
    }

    private func decode(_ picture: ReceivedPicture) async {
        if decodedTrack == nil { decodedTrack = picture.track }
        guard picture.track == decodedTrack else { return }
        let (meter, wishes) = (meter, wishes)
        let decoder =
            decoder ?? PictureDecoder(needKeyframe: { wishes.wish() }, onPicture: { meter.take($0) })
        self.decoder = decoder
        let frame = EncodedFrame(
            annexB: picture.annexB, presentationTime: picture.time, isKeyframe: picture.isKeyframe)
        if !decoder.put(frame) { await peer?.needKeyframe(on: picture.track) }
    }

    private func tellStatistics() async {
        var sent = former
        var echoes = formerEchoes
        for channel in channels {
            sent.add(await channel.sent)
            echoes += await channel.echoes
        }
        let statistics = await peer?.statistics()
        PeerLines.say(
            "stats",
            [
                "messagesSent": sent.messages, "messagesReceived": received.messages, "bytesSent": sent.bytes,
                "bytesReceived": received.bytes, "echoes": echoes, "framesSent": await sender?.sent ?? 0,
                "framesReceived": meter.count, "candidatePair": (statistics?.path).map { Self.pair($0) },
                "drops": [String: Int].sum(statistics?.drops, decoder?.drops),
            ])
    }

    /// Returns the selected ICE path in the protocol's form: the candidate type and `tcp` or `udp` of each end.
    private static func pair(_ path: PeerPath) -> [String: [String: String]] {
        func end(_ end: PeerPath.End) -> [String: String] {
            ["type": end.kind, "protocol": end.isTCP ? "tcp" : "udp"]
        }
        return ["local": end(path.local), "remote": end(path.remote)]
    }

    private func close() async {
        await sender?.stop()
        await peer?.close()
        decoder?.close()
    }
}

extension PeerCommand {
    /// Returns a value that a command requires. Throws an error if it is missing.
    fileprivate func need<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw JSONPeer.Failure(description: "the command '\(type)' needs '\(name)'") }
        return value
    }
}
