import HelioCore
import HelioICE
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP
import HelioSTUN
import HelioSimulation

/// A seeded run of two peer connections through random incidents in random order; faults are described in words.
///
/// First the networks are bad, and both ends act at random, from the first offer on; then the networks are good for a
/// while, in which all state must recover; then both ends close.
final class PeerTurmoil {
    private enum Incident: CaseIterable {
        case open, openKnown, close, send, sendMuch, sendLarge
        case renegotiate, restart, glare, changeMind, track, decoderFailure
        case outage, oneWayOutage, longOutage, rebind, calm, storm
        case replay, replayByStranger, corrupt, junk
    }

    /// The app's patience; a connection that has failed by then is restarted.
    private static let patience = Duration.seconds(40)
    /// The time within which the final state must be reached.
    private static let limit = Duration.seconds(240)

    private var world: PeerWorld
    private var random: SeededGenerator
    private let watches: [WatchedDTLS]
    private weak var crypto: WatchedCrypto?
    private var channels: [TurmoilChannel] = []
    private var videos: [TurmoilVideo] = []
    /// The numbers of each end's events that were already checked.
    private var seenFrames = [0, 0]
    private var seenKeyframeNeeds = [0, 0]
    private let hasVideo: Bool
    private let isLite: Bool
    private var isClosed = false
    private var nextNumber: UInt16 = 1000
    private var bytesLeft: Int
    private(set) var faults: [String] = []
    /// The incidents in order, for debugging a seed.
    private(set) var story: [String] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 91 &+ 17)
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var conditions = PeerWorld.Conditions()
        conditions.loss = pick(4) == 0 ? 0 : random.unit() * 0.2
        conditions.delay = .milliseconds(1 + pick(80))
        conditions.jitter = .milliseconds(pick(10))
        if pick(2) == 0 { conditions.reorder = random.unit() * 0.2 }
        if pick(2) == 0 { conditions.duplicate = random.unit() * 0.2 }
        isLite = pick(6) == 0
        conditions.isBehindNAT = (pick(2) == 0, !isLite && pick(2) == 0)
        let crypto = WatchedCrypto()
        watches = PeerWorld.certificates.map(WatchedDTLS.init)
        let (passive, asksServer, makesLite) = (pick(4) == 0, pick(3) == 0, isLite)
        world = PeerWorld(seed: seed, conditions, crypto: crypto, certificates: watches) { a, b in
            b.isLite = makesLite
            a.prefersPassive = passive
            if asksServer { a.stunServers = [PeerWorld.server] }
        }
        self.crypto = crypto
        world.signallingDelay = .milliseconds(1 + pick(200))
        world.thinkingTime = .milliseconds(pick(3) == 0 ? pick(400) : 0)
        world.trickles = pick(8) != 0
        bytesLeft = pick(8) == 0 ? 2_000_000 : 60_000
        hasVideo = pick(5) == 0
        self.random = random
        story.append("\(conditions), lite: \(isLite), thinking: \(world.thinkingTime), trickles: \(world.trickles)")
    }

    func run() {
        do {
            try begin()
            try act()
            if !isClosed {
                if pick(5) == 0 { try loseThePath() }
                try heal()
            }
            try end()
        } catch {
            fault("\(error)")
        }
        leave()
    }

    private func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private func node(_ end: Int) -> PeerNode { end == 0 ? world.a : world.b }

    private func note(_ words: String) { story.append("\(world.now.nanoseconds / 1_000_000): \(words)") }

    private func fault(_ words: String) {
        note("FAULT " + words)
        faults.append(words)
    }

    // MARK: The bad time

    private func begin() throws {
        open(by: 0)
        if pick(2) == 0 { open(by: 1) }
        if pick(4) == 0 { openKnown() }
        if hasVideo {
            for end in 0..<2 where end == 0 || pick(2) == 0 {
                _ = try world.call(node(end)) { try $0.addTrack(.video, receives: true, now: $1) }
            }
        }
        try world.begin()
    }

    private func act() throws {
        let closing = pick(6) == 0 ? pick(24) : nil
        for step in 0..<6 + pick(20) {
            // Often during a start, which takes several round trips.
            try run(for: .milliseconds(pick(5) == 0 ? pick(4000) : pick(200)))
            if step == closing {
                let end = pick(2)
                note("\(end) closes")
                world.call(node(end)) { $0.close(now: $1) }
                isClosed = true
                return
            }
            cause(Incident.allCases[pick(Incident.allCases.count)], at: pick(2))
            if let broken = world.nodes.first(where: { !$0.failures.allSatisfy { $0 == .noPath } }) {
                return fault("failed: \(broken.failures)")
            }
        }
    }

    private func cause(_ incident: Incident, at end: Int) {
        note("\(incident) at \(end)")
        switch incident {
        case .open: open(by: end)
        case .openKnown: openKnown()
        case .close: close(by: end)
        case .send: send(from: end, count: 1 + pick(4), size: pick(1300))
        case .sendMuch: send(from: end, count: 30, size: pick(400))
        case .sendLarge: send(from: end, count: 1, size: pick(200_000))
        case .renegotiate: offer(from: end)
        case .restart: offer(from: end, restartsICE: true)
        case .glare:
            offer(from: end, restartsICE: pick(3) == 0)
            offer(from: 1 - end, restartsICE: pick(3) == 0)
        case .changeMind: changeMind(of: end)
        case .track: track(at: end)
        case .decoderFailure:
            guard let one = node(end).connection.transceivers.first(where: { $0.kind == .video }) else { return }
            world.call(node(end)) { $0.decoderFailed(on: one.id, now: $1) }
        case .outage: cut([0, 1], .milliseconds(pick(3000)))
        case .oneWayOutage: cut([end], .milliseconds(pick(6000)))
        case .longOutage: cut([0, 1], .seconds(5 + pick(35)))
        case .rebind: node(end).nat?.rebind()
        case .calm: weather(loss: 0)
        case .storm: weather(loss: random.unit() * 0.2)
        case .replay: attack(end, isByStranger: false) { $0 }
        case .replayByStranger: attack(end, isByStranger: true) { $0 }
        case .corrupt: corrupt(at: end)
        case .junk:
            let bytes = (0..<pick(100)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let isHandshake = bytes.first.map { (20...63).contains($0) } == true
            attack(end, isByStranger: pick(2) == 0) { _ in isHandshake ? [] : bytes }
        }
    }

    private func weather(loss: Double) {
        for end in 0..<2 { node(end).link.conditions.loss = loss > 0 ? .random(loss) : .none }
        world.serverLink.conditions.loss = loss > 0 ? .random(loss) : .none
    }

    private func cut(_ ends: [Int], _ duration: Duration) {
        for end in ends { node(end).link.partitions.append(world.now..<world.now + duration) }
    }

    /// Cuts the path for longer than the peer's consent lasts.
    private func loseThePath() throws {
        let duration = Duration.seconds(31 + pick(10))
        note("nothing passes for \(duration)")
        // A lite end doesn't notice that its packets are lost, so its handshake would run into its time-outs.
        let isOneWay = pick(3) == 0 && (world.isStanding || !isLite)
        cut(isOneWay ? [pick(2)] : [0, 1], duration)
        try run(for: duration)
    }

    // MARK: Channels

    private func description() -> DataChannelDescription {
        var description = DataChannelDescription(label: "\(channels.count)")
        description.isOrdered = pick(3) != 0
        switch pick(5) {
        case 0: description.reliability = .retransmissions(UInt32(pick(3)))
        case 1: description.reliability = .lifetime(.milliseconds(pick(800)))
        default: break
        }
        return description
    }

    private func open(by end: Int) {
        let description = description()
        guard (try? world.call(node(end), { try $0.openChannel(description, now: $1) })) != nil else {
            return fault("\(end) could not open a channel")
        }
        channels.append(TurmoilChannel(description: description, number: nil, openers: [end]))
    }

    private func openKnown() {
        let description = description()
        nextNumber += 1
        for end in 0..<2 {
            let number = nextNumber
            do {
                _ = try world.call(node(end)) { try $0.openChannel(description, number: number, now: $1) }
            } catch {
                return fault("\(end) could not open a channel of number \(number): \(error)")
            }
        }
        channels.append(TurmoilChannel(description: description, number: nextNumber, openers: [0, 1]))
    }

    private func close(by end: Int) {
        let usable = channels.indices.filter { node(end).channel(channels[$0].label) != nil }
        guard !usable.isEmpty else { return }
        let index = usable[pick(usable.count)]
        guard let channel = node(end).channel(channels[index].label), !node(end).closed.contains(channel) else {
            return
        }
        channels[index].closers.insert(end)
        note("channel \(channels[index].label)")
        world.call(node(end)) { $0.closeChannel(channel, now: $1) }
    }

    private func send(from end: Int, count: Int, size: Int) {
        guard !channels.isEmpty else { return }
        let index = pick(channels.count)
        guard let channel = node(end).channel(channels[index].label) else { return }
        for _ in 0..<count {
            let size = pick(6) == 0 ? pick(3) : size
            guard bytesLeft >= size else { return }
            var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: size)
            for place in bytes.indices.prefix(8) { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            let message: DataChannelMessage = pick(2) == 0 ? .text(bytes) : .binary(bytes)
            guard (try? world.call(node(end), { try $0.send(message, on: channel, now: $1) })) != nil else { return }
            bytesLeft -= size
            channels[index].sent[end].append(message)
        }
    }

    // MARK: Descriptions

    private func offer(from end: Int, restartsICE: Bool = false) {
        guard node(end).connection.signalingState == .stable, node(end).unpublished == nil else { return }
        do {
            try world.offer(from: node(end), restartsICE: restartsICE)
        } catch {
            fault("\(end) can't offer: \(error)")
        }
    }

    private func changeMind(of end: Int) {
        guard node(end).connection.signalingState == .stable else { return }
        let restarts = pick(2) == 0
        do {
            try world.call(node(end)) { _ = try $0.makeOffer(restartsICE: restarts, now: $1) }
            try world.call(node(end)) { try $0.rollback(now: $1) }
        } catch {
            fault("\(end) can't change its mind: \(error)")
        }
    }

    /// Adds or stops media transceivers.
    private func track(at end: Int) {
        let (kind, isRemoved): (MediaKind, Bool) = (pick(2) == 0 ? .video : .audio, pick(3) == 0)
        do {
            try world.call(node(end)) { connection, now in
                if isRemoved, let one = connection.transceivers.first {
                    // A transceiver that is already being stopped rejects the call.
                    try? connection.stop(one.id, now: now)
                } else if connection.transceivers.count < 4 {
                    try connection.addTrack(kind, receives: true, now: now)
                }
            }
        } catch {
            fault("\(end) can't change its tracks: \(error)")
        }
        offer(from: end)
    }

    // MARK: Video

    /// Runs the world, with frames sent in time and checked on arrival.
    private func run(for duration: Duration) throws {
        guard hasVideo else {
            try world.run(for: duration)
            return
        }
        let end = world.now + duration
        while world.now < end {
            let next = videos.map(\.source.next).min() ?? end
            try world.run(for: max(.milliseconds(1), min(next, end) - world.now))
            findVideos()
            sendFrames()
            lookAtFrames()
        }
    }

    private func findVideos() {
        for end in 0..<2 {
            for one in node(end).connection.transceivers where one.kind == .video {
                guard one.currentDirection?.sends == true,
                    !videos.contains(where: { $0.end == end && $0.transceiver == one.id })
                else { continue }
                videos.append(TurmoilVideo(end: end, one.id, number: videos.count, start: world.now))
            }
        }
    }

    /// True if both ends have agreed that the video is sent.
    private func isSent(_ video: TurmoilVideo) -> Bool {
        let theirs = node(1 - video.end).connection.transceivers
        guard let own = node(video.end).connection.transceivers.first(where: { $0.id == video.transceiver }),
            let other = theirs.first(where: { $0.mid != nil && $0.mid == own.mid })
        else { return false }
        return own.currentDirection?.sends == true && other.currentDirection?.receives == true
    }

    /// Sends frames; the encoder runs independently of the path, and makes keyframes on request.
    private func sendFrames() {
        for end in 0..<2 where node(end).keyframesNeeded > seenKeyframeNeeds[end] {
            seenKeyframeNeeds[end] = node(end).keyframesNeeded
            for index in videos.indices where videos[index].end == end { videos[index].source.wantsKeyframe = true }
        }
        for index in videos.indices where videos[index].source.next <= world.now {
            let id = videos[index].transceiver
            for slice in videos[index].source.take() {
                world.call(node(videos[index].end)) { $0.send(slice, codec: .h264, on: id, now: $1) }
            }
        }
    }

    private func lookAtFrames() {
        for end in 0..<2 {
            let news = node(end).frames.dropFirst(seenFrames[end])
            seenFrames[end] = node(end).frames.count
            for frame in news {
                var isDecodable: Bool?
                for index in videos.indices where videos[index].end == 1 - end && isDecodable == nil {
                    isDecodable = videos[index].takes(frame)
                }
                guard let isDecodable else { return fault("\(end) has a frame that nobody sent") }
                guard isDecodable else { return fault("\(end) has a frame without what it refers to") }
            }
        }
    }

    // MARK: A man in the middle

    /// Replays a datagram of one end to the other, possibly late, modified, or from another address.
    private func attack(_ end: Int, isByStranger: Bool, _ change: ([UInt8]) -> [UInt8]) {
        let (victim, sent) = (node(end), node(1 - end).sent)
        guard !sent.isEmpty else { return }
        let stranger = TransportAddress(.v4(0x0909_0909), port: UInt16(1 + pick(60_000)))
        for _ in 0..<1 + pick(12) {
            let bytes = change(sent[pick(2) == 0 ? pick(sent.count) : max(0, sent.count - 1 - pick(8))])
            let source = isByStranger ? stranger : victim.connection.path?.remote ?? stranger
            world.give(victim, .datagram(bytes, from: source, onLocal: victim.host))
        }
    }

    /// Corrupts datagrams, except those of a handshake: a handshake is unauthenticated, so an attacker can always
    /// prevent it.
    private func corrupt(at end: Int) {
        let isStanding = world.isStanding
        let isByStranger = pick(2) == 0
        let (flips, cut) = (1 + pick(4), pick(4) == 0)
        var random = SeededGenerator(seed: random.next())
        attack(end, isByStranger: isByStranger) { datagram in
            var bytes = datagram
            guard let first = bytes.first, isStanding || !(20...63).contains(first) else { return [] }
            for _ in 0..<flips { bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8) }
            if cut { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            // During a handshake, drops a bit flip that would make a DTLS record.
            return isStanding || bytes.first.map { !(20...63).contains($0) } == true ? bytes : []
        }
    }

    // MARK: The good time

    private func heal() throws {
        note("the network is good from here on")
        weather(loss: 0)
        for end in 0..<2 {
            node(end).link.partitions = []
            node(end).link.conditions.reorder = 0
            node(end).link.conditions.duplicate = 0
        }
        for index in videos.indices { videos[index].goodFrom = videos[index].source.count }
        let deadline = world.now + Self.limit
        var lastTry = world.now
        while world.now < deadline {
            if unsettled == nil { return }
            try run(for: .milliseconds(250))
            guard !world.isConnected, world.now >= lastTry + Self.patience || isFailed else { continue }
            guard let end = (0..<2).first(where: { node($0).connection.signalingState == .stable }),
                world.now >= lastTry + .seconds(5), node(end).unpublished == nil
            else { continue }
            lastTry = world.now
            note("\(end) restarts as nothing works: \(world.nodes.map(\.connection.state))")
            offer(from: end, restartsICE: true)
        }
        if let unsettled { fault(unsettled) }
    }

    private var isFailed: Bool { world.nodes.contains { $0.connection.state == .failed } }

    /// A description of what is unfinished; `nil` if everything is as it should be in the end.
    private var unsettled: String? {
        for end in 0..<2 {
            let (state, failures) = (node(end).connection.state, node(end).failures)
            if state != .connected || failures.contains(where: { $0 != .noPath }) {
                return "\(end) is \(state), \(failures)"
            }
        }
        for end in 0..<2 where node(end).connection.signalingState != .stable {
            return "\(end) is in the middle of an offer: \(node(end).connection.signalingState)"
        }
        for video in videos where !video.isSeen && isSent(video) {
            return "video of \(video.end) does not come out: \(video.transceiver)"
        }
        for channel in channels {
            for end in 0..<2 {
                let name = node(end).channel(channel.label)
                let isClosed = name.map { node(end).closed.contains($0) } ?? false
                if channel.closers.isEmpty, name == nil { return "\(channel.label) is not open at \(end)" }
                if channel.closers.isEmpty, isClosed { return "\(channel.label) closed by itself at \(end)" }
                if !channel.closers.isEmpty, name != nil, !isClosed {
                    return "\(channel.label) does not close at \(end)"
                }
                let received = node(1 - end).messages(on: channel.label)
                if let fault = channel.fault(of: received, from: end, isOver: false) { return fault }
            }
        }
        return nil
    }

    // MARK: The end

    private func end() throws {
        if !isClosed {
            let end = pick(2)
            note("\(end) closes in the end")
            world.call(node(end)) { $0.close(now: $1) }
        } else {
            weather(loss: 0)
            for end in 0..<2 { node(end).link.partitions = [] }
        }
        // The end was signalled or detected; an end that knows of no peer yet waits for it, or for its answer.
        let isOver = try world.run(for: .seconds(200)) {
            world.nodes.allSatisfy {
                [.closed, .failed, .new].contains($0.connection.state)
                    || ($0.connection.state == .connecting && $0.connection.signalingState == .haveLocalOffer)
            }
        }
        if !isOver { fault("not over: \(world.nodes.map(\.connection.state))") }
        for end in 0..<2 { world.call(node(end)) { $0.close(now: $1) } }
        for end in 0..<2 {
            let (node, connection) = (node(end), node(end).connection)
            if connection.state != .closed { fault("\(end) is \(connection.state) after its end") }
            if let deadline = connection.deadline { fault("\(end) waits for '\(deadline.why)' after its end") }
            if Set(node.closed).count != node.closed.count { fault("\(end) closed a channel twice") }
            if !Set(node.opened.keys).isSubset(of: node.closed) { fault("\(end) has open channels after its end") }
        }
        for channel in channels {
            for end in 0..<2 {
                let received = node(1 - end).messages(on: channel.label)
                if let words = channel.fault(of: received, from: end, isOver: true) { fault(words) }
            }
        }
    }

    /// Checks that everything the run has made is released.
    private func leave() {
        weak let (a, b) = (world.a.connection, world.b.connection)
        world = PeerWorld(seed: 0)
        if a != nil || b != nil { fault("a connection is left behind") }
        for (end, watch) in watches.enumerated() where watch.living > 0 {
            fault("\(watch.living) of \(watch.count) DTLS transports of \(end) are left behind")
        }
        // Agents and associations retain the providers that they were made with.
        if crypto != nil { fault("an engine is left behind") }
    }
}
