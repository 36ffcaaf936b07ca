import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

/// A host and any number of native viewers, each with its own path, and encoders that follow their target bitrate.
final class AudienceWorld {
    /// A viewer, with its connection and its path.
    final class Member {
        let id: ConnectionID
        let viewer: ViewerPeer
        /// The bytes of media that the viewer received.
        fileprivate(set) var bytes = 0
        fileprivate let pipe: ReliablePipe
        fileprivate var toHost: SimulatedLink
        fileprivate var toViewer: SimulatedLink

        fileprivate init(_ id: ConnectionID, _ viewer: ViewerPeer, _ pipe: ReliablePipe, _ conditions: LinkConditions) {
            (self.id, self.viewer, self.pipe) = (id, viewer, pipe)
            toHost = SimulatedLink(LinkConditions(delay: conditions.delay), seed: id.rawValue)
            toViewer = SimulatedLink(conditions, seed: id.rawValue &+ 50)
        }

        fileprivate func path(_ tag: UInt8) -> PathID {
            PathID(.v4(0x0A00_0000 | UInt32(id.rawValue)), port: UInt16(id.rawValue) * 2 + UInt16(tag))
        }
    }

    /// An encoder of a screen that changes in every frame.
    private struct Coder {
        var encoder: TestEncoder
        /// The index of the encoder's first frame at the host.
        let first: UInt64
        let framesPerSecond: Int
        /// The target bitrate; `nil` while the encoder is paused.
        var rate: Bitrate?
        var next = Instant.zero
        var wantsKeyframe = true
        var repairSince: UInt64?
    }

    let host: SourceHost
    private let control: HostControl
    private(set) var now = Instant.zero
    private var members: [Member] = []
    private var coders: [EncodingID: Coder] = [:]
    private var isWatched = false
    /// The number of requests for keyframes and repair pictures, by encode.
    private(set) var asked: [EncodingID: Int] = [:]
    /// The successive target bitrates of the second encode.
    private(set) var seconds: [Bitrate?] = []
    /// True if there is an encoder for a second encode.
    var hasSecondEncoder = true

    init(_ policy: SlowViewerPolicy, bitrate: Bitrate = .megabits(6)) {
        var format = VideoFormat.test
        format.bitrate = bitrate
        host = SourceHost(
            .init(format: format, allowsControl: false, slowViewers: policy),
            fingerprint: Array(repeating: 9, count: 32), crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 1),
            now: .zero)
        host.setPorts(media: 7236, control: 7237)
        control = HostControl(screen: format.size, crypto: OpenSSLCrypto())
        coders[.main] = Coder(encoder: TestEncoder(seed: 7), first: 0, framesPerSecond: 30, rate: bitrate)
        coders[.second] = Coder(
            encoder: TestEncoder(seed: 8), first: EncodingID.second.firstFrameIndex, framesPerSecond: 15)
    }

    /// Admits a viewer, and waits until it watches.
    func add(_ rate: Bitrate) -> Member {
        let conditions = LinkConditions(
            delay: .milliseconds(15), rate: rate, queueBytes: Self.queueBytes(rate))
        let pipe = ReliablePipe()
        let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: host.linkSecret.bytes)
        let id = ConnectionID(UInt64(members.count) + 1)
        let member = Member(id, ViewerPeer(link, pipe, seed: id.rawValue &+ 10), pipe, conditions)
        members.append(member)
        host.handle(.connected(id, address: "10.0.0.\(id.rawValue)"), now: now)
        drainHost()
        member.viewer.connect(now: now)
        run(.seconds(1))
        #expect(member.viewer.isPlaying)
        return member
    }

    func setRate(_ rate: Bitrate, to member: Member) {
        member.toViewer.conditions.rate = rate
        member.toViewer.conditions.queueBytes = Self.queueBytes(rate)
    }

    /// The bytes of a queue of a quarter of a second.
    private static func queueBytes(_ rate: Bitrate) -> Int { rate.bitsPerSecond / 8 / 4 }

    /// Reports that the viewer's decoder needs a keyframe.
    func losePicture(_ member: Member) {
        member.viewer.session.handle(.keyframeNeeded, now: now)
        member.viewer.tick(now: now)
        drain(member)
    }

    func leave(_ member: Member) {
        member.viewer.leave(now: now)
        drain(member)
    }

    func statistics(of member: Member) -> SourceHost.Statistics.Viewer? {
        host.statistics.viewers.first { $0.id == member.id }
    }

    // MARK: Time

    func run(_ duration: Duration) {
        let end = now + duration
        var steps = 0
        while let next = nextInstant, next <= end {
            steps = next > now ? 0 : steps + 1
            if steps > 5000 {
                Issue.record("no end of work at \(now.nanoseconds) ns")
                break
            }
            now = max(now, next)
            step()
        }
        now = end
    }

    private var nextInstant: Instant? {
        var all = [host.deadline?.at, control.deadline?.at]
        for member in members {
            all += [member.toHost.deadline?.at, member.toViewer.deadline?.at]
            all += [member.viewer.deadline?.at, member.pipe.hostDeadline?.at]
        }
        if isWatched { for coder in coders.values where coder.rate != nil { all.append(coder.next) } }
        return all.compactMap { $0 }.min()
    }

    private func step() {
        for member in members {
            while let datagram = member.toHost.deliver(now: now) { hear(datagram, from: member) }
            while let datagram = member.toViewer.deliver(now: now) {
                if datagram.first == HostPeer.mediaTag { member.bytes += datagram.count }
                member.viewer.receive(datagram, now: now)
                drain(member)
            }
            while let item = member.pipe.nextForHost(now: now) {
                host.handle(item.bytes.map { .received(member.id, $0) } ?? .disconnected(member.id), now: now)
                drainHost()
            }
        }
        for id in EncodingID.allCases { encode(id) }
        if let due = host.deadline?.at, due <= now { host.tick(now: now) }
        if let due = control.deadline?.at, due <= now { control.tick(now: now) }
        drainHost()
        for member in members {
            if let due = member.viewer.deadline?.at, due <= now { member.viewer.tick(now: now) }
            drain(member)
        }
    }

    private func encode(_ id: EncodingID) {
        guard isWatched, var coder = coders[id], let rate = coder.rate, coder.next <= now else { return }
        coder.next = now + .seconds(1) / coder.framesPerSecond
        // Two slices a frame, at half of the target bitrate: a keyframe is as large as eight frames.
        coder.encoder.sliceBytes = max(30, rate.bitsPerSecond / 8 / coder.framesPerSecond / 4)
        let isKeyframe = coder.wantsKeyframe
        let since = isKeyframe ? nil : coder.repairSince.map { $0 - coder.first }
        (coder.wantsKeyframe, coder.repairSince) = (false, nil)
        let slices = coder.encoder.frame(keyframe: isKeyframe, repairsSince: since, now: now)
        coders[id] = coder
        for slice in slices {
            var slice = slice
            slice.encoding = id
            slice.frameIndex += coder.first
            slice.repairsSince = slice.repairsSince.map { $0 + coder.first }
            host.handle(.slice(slice), now: now)
            drainHost()
        }
    }

    // MARK: Datagrams and messages

    private func hear(_ datagram: [UInt8], from member: Member) {
        let bytes = Array(datagram.dropFirst())
        if datagram.first == HostPeer.mediaTag {
            host.handle(.media(bytes, from: member.path(0)), now: now)
        } else {
            control.handle(.datagram(bytes, from: member.path(1)), now: now)
        }
        drainHost()
    }

    private func drain(_ member: Member) {
        while let datagram = member.viewer.pollDatagram(now: now) { member.toHost.send(datagram, now: now) }
    }

    private func drainHost() {
        while let output = host.poll() {
            switch output {
            case .send(let id, let bytes):
                member(id)?.pipe.sendToViewer(bytes, now: now)
                host.handle(.written(id, bytes.count), now: now)
            case .close(let id): member(id)?.pipe.sendToViewer(nil, now: now)
            case .media(let bytes, let path):
                let member = members.first { $0.path(0) == path }
                member?.toViewer.send([HostPeer.mediaTag] + bytes, now: now)
            case .control(let input): control.handle(input, now: now)
            case .event(let event): take(event)
            case .web, .sources, .voice, .clipboard, .files: break
            }
        }
        while let output = control.poll() {
            guard case .datagram(let bytes, let path) = output else { continue }
            let member = members.first { $0.path(1) == path }
            member?.toViewer.send([HostPeer.controlTag] + bytes, now: now)
        }
    }

    private func member(_ id: ConnectionID) -> Member? { members.first { $0.id == id } }

    private func take(_ event: SourceHost.Event) {
        switch event {
        case .watched(let watched): isWatched = watched
        case .bitrate(let rate): coders[.main]?.rate = rate
        case .second(let rate):
            seconds.append(rate)
            if !hasSecondEncoder, rate != nil {
                host.handle(.secondFailed, now: now)
                return
            }
            // An encode that starts or resumes begins with a keyframe.
            if coders[.second]?.rate == nil { coders[.second]?.wantsKeyframe = true }
            coders[.second]?.rate = rate
        case .keyframeNeeded(_, let encoding):
            asked[encoding, default: 0] += 1
            coders[encoding]?.wantsKeyframe = true
        case .repairNeeded(let since, _, let encoding):
            asked[encoding, default: 0] += 1
            let earlier = coders[encoding]?.repairSince ?? .max
            coders[encoding]?.repairSince = min(earlier, since)
        default: break
        }
    }
}
