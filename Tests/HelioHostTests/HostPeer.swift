import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import HelioTransferWire

/// A simulated host: the engines, an encoder that answers their requests, and the viewer's connection.
final class HostPeer: SimulatedPeer {
    static let connection = ConnectionID(1)
    /// The first byte of a simulated datagram, which selects the port.
    static let mediaTag: UInt8 = 1
    static let controlTag: UInt8 = 2

    let host: SourceHost
    let control: HostControl
    let pipe: ReliablePipe
    var encoder = TestEncoder(seed: 7)
    var framesPerSecond = 60
    var isStill = false
    private(set) var events: [SourceHost.Event] = []
    /// The encoder's target bitrates so far.
    var bitrates: [Bitrate] { events.compactMap { if case .bitrate(let rate) = $0 { rate } else { nil } } }
    private(set) var injected: [InjectedInput] = []
    private(set) var monitorsChosen: [String] = []
    /// The orders to the host's clipboard.
    private(set) var clipboard: [ClipboardOrder] = []
    /// The events of the viewer's files.
    private(set) var files: [FileNews] = []
    private(set) var keyframes = 0
    /// The frames since which repairs were requested, and the number of repair pictures.
    private(set) var repairsAsked: [UInt64] = []
    private(set) var repairs = 0
    /// True if the encoder makes repair pictures; otherwise it sends keyframes instead.
    var givesRepairs = true
    /// True if repair requests are not passed to the encoder.
    var ignoresRepairs = false
    private var repairSince: UInt64?
    private var datagrams: [[UInt8]] = []
    private var isWatched = false
    private var wantsKeyframe = true
    private var nextFrame: Instant?

    /// True if the viewer's connection accepts no bytes.
    var isStuck = false
    /// The bytes that were sent while the connection was stuck.
    private(set) var unread = 0
    /// The bytes of signalling sent.
    private(set) var bytesSent = 0
    /// The RTP timestamps of frames that the network loses, retransmissions included.
    var lostFrames: Set<UInt32> = []
    /// The numbers of next frames and repair pictures that the network loses.
    var framesToLose = 0
    var repairsToLose = 0
    /// True if the network loses all media sent.
    var losesMedia = false
    /// True if the network loses all datagrams to and from the input port.
    var losesControl = false
    /// The source paths of the viewer's datagrams.
    var mediaPath = PathID(5)
    var controlPath = PathID(6)
    /// Returns a replaced source path for each of the viewer's media datagrams.
    var readdress: (([UInt8]) -> PathID)?
    /// The number of datagrams sent to paths other than `mediaPath` and `controlPath`.
    private(set) var elsewhere: [PathID: Int] = [:]
    /// The sound that is captured on demand.
    var sounds: [TestSound]
    private(set) var soundWanted: [[SoundOrigin: SoundDemand]] = []
    /// The received voice of the viewer, and the changes of whether it is speaking.
    var voice = HeardSound()
    private(set) var speaking: [Bool] = []
    /// Called with each sent datagram, without its tag.
    var tap: ((_ tag: UInt8, [UInt8]) -> Void)?

    init(
        _ pipe: ReliablePipe, seed: UInt64 = 1, format: VideoFormat = .test, allowsControl: Bool = true,
        suite: SuiteOptions? = nil, adaptsBitrate: Bool = true, sound: Set<SoundOrigin> = [],
        hearsViewers: Bool = false, clipboard: ClipboardTerms? = nil, clipboardPlace: String? = nil,
        hasFiles: Bool = false, rendezvous: HostRendezvous? = nil, wake: WakeAddresses? = nil
    ) {
        self.pipe = pipe
        sounds = SoundOrigin.allCases.filter(sound.contains).map { TestSound($0) }
        var settings = SourceHost.Settings(
            format: format, allowsControl: allowsControl, suite: suite, adaptsBitrate: adaptsBitrate)
        settings.sound = sound
        settings.hearsViewers = hearsViewers
        settings.clipboard = clipboard
        settings.clipboardPlace = clipboardPlace
        settings.files = hasFiles
        settings.rendezvous = rendezvous
        settings.wake = wake
        host = SourceHost(
            settings, fingerprint: Array(repeating: 9, count: 32),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed), now: .zero)
        host.setPorts(media: 7236, control: 7237)
        control = HostControl(screen: format.size, crypto: OpenSSLCrypto())
    }

    /// - Parameter route: the virtual path of the viewer's datagrams if it comes through a tunnel.
    func accept(route: PathID? = nil, now: Instant) {
        if let route {
            (mediaPath, controlPath) = (route, route)
            host.handle(.adopted(Self.connection, address: "10.0.0.2", route: route), now: now)
        } else {
            host.handle(.connected(Self.connection, address: "10.0.0.2"), now: now)
        }
        drain(now)
    }

    /// The expected SSRCs: the driver's sockets discard datagrams without one of these.
    private var sources: [SSRC] = []
    private(set) var thrownAway = 0

    func receive(_ datagram: [UInt8], now: Instant) {
        let bytes = Array(datagram.dropFirst())
        let isMedia = datagram.first == Self.mediaTag
        let offsets = !isMedia ? [0] : host.hearsViewers ? [4, 8] : [4]
        guard offsets.contains(where: { bytes.span.bytes.uint32(at: $0).map { sources.contains(SSRC($0)) } ?? false })
        else {
            thrownAway += 1
            return
        }
        if !isMedia, losesControl { return }
        if isMedia {
            host.handle(.media(bytes, from: readdress?(bytes) ?? mediaPath), now: now)
        } else {
            control.handle(.datagram(bytes, from: controlPath), now: now)
        }
        drain(now)
    }

    func tick(now: Instant) {
        while let taken = pipe.nextTaken(now: now) {
            host.handle(.written(Self.connection, taken), now: now)
            drain(now)
        }
        while let item = pipe.nextForHost(now: now) {
            if let bytes = item.bytes {
                host.handle(.received(Self.connection, bytes), now: now)
            } else {
                host.handle(.disconnected(Self.connection), now: now)
            }
            drain(now)
        }
        if isWatched, let due = nextFrame, due <= now {
            nextFrame = due + .nanoseconds(1_000_000_000 / Int64(framesPerSecond))
            if !isStill || wantsKeyframe || repairSince != nil { encode(now) }
        }
        for index in sounds.indices {
            for packet in sounds[index].packets(now: now) {
                host.handle(.sound(packet), now: now)
                drain(now)
            }
        }
        host.tick(now: now)
        control.tick(now: now)
        drain(now)
    }

    /// Switches the encoder to another format.
    func change(to format: VideoFormat, now: Instant) {
        wantsKeyframe = true
        host.handle(.format(format), now: now)
        drain(now)
    }

    /// Sets the monitors; the first one is shown.
    func tell(_ input: SourceHost.Input, now: Instant) {
        host.handle(input, now: now)
        drain(now)
    }

    func tell(_ monitors: [MonitorEntry], now: Instant) {
        control.handle(.monitors(monitors.map(\.id)), now: now)
        host.handle(.monitors(monitors, selected: monitors.first?.id), now: now)
        drain(now)
    }

    /// Changes the screen's size.
    func resize(to size: PixelSize, now: Instant) {
        host.handle(.size(size), now: now)
        drain(now)
    }

    private func encode(_ now: Instant) {
        let isRepair = repairSince != nil && givesRepairs && encoder.codec == .h264 && !wantsKeyframe
        let keyframe = wantsKeyframe || repairSince != nil && !isRepair
        let since = isRepair ? repairSince : nil
        wantsKeyframe = false
        repairSince = nil
        if keyframe { keyframes += 1 }
        if isRepair { repairs += 1 }
        if framesToLose > 0 || isRepair && repairsToLose > 0 {
            if framesToLose > 0 { framesToLose -= 1 } else { repairsToLose -= 1 }
            lostFrames.insert(MediaClock.timestamp(now))
        }
        for slice in encoder.frame(keyframe: keyframe, repairsSince: since, now: now) {
            host.handle(.slice(slice), now: now)
        }
        drain(now)
    }

    func pollDatagram(now: Instant) -> [UInt8]? { datagrams.isEmpty ? nil : datagrams.removeFirst() }

    var deadline: Deadline? {
        let frame = isWatched ? nextFrame.map { Deadline(at: $0, why: "frame") } : nil
        let sound = sounds.compactMap(\.deadline).min().map { Deadline(at: $0, why: "sound") }
        let made = Deadline.earliest(frame, sound)
        return .earliest(.earliest(host.deadline, control.deadline), .earliest(pipe.hostDeadline, made))
    }

    private func drain(_ now: Instant) {
        while let output = host.poll() {
            switch output {
            case .send(let id, let bytes):
                bytesSent += bytes.count
                if isStuck {
                    unread += bytes.count
                } else if pipe.rate == nil {
                    pipe.sendToViewer(bytes, now: now)
                    host.handle(.written(id, bytes.count), now: now)
                } else {
                    // The engine is notified once the system has accepted the bytes.
                    pipe.sendToViewer(bytes, now: now)
                }
            case .close: pipe.sendToViewer(nil, now: now)
            case .media(let bytes, let path) where path != mediaPath:
                elsewhere[path, default: 0] += bytes.count
            case .media(_, _) where losesMedia: break
            case .media(let bytes, _) where isLost(bytes): break
            case .media(let bytes, _):
                tap?(Self.mediaTag, bytes)
                datagrams.append([Self.mediaTag] + bytes)
            case .control(let input): control.handle(input, now: now)
            case .event(let event): take(event, now)
            case .sources(let list): sources = list
            case .web: break
            case .voice(_, let packet): voice.take(packet, now: now)
            case .clipboard(let order): clipboard.append(order)
            case .files(_, let news): files.append(news)
            }
        }
        while let output = control.poll() {
            switch output {
            case .datagram(let bytes, let path) where path != controlPath:
                elsewhere[path, default: 0] += bytes.count
            case .datagram where losesControl: break
            case .datagram(let bytes, _):
                tap?(Self.controlTag, bytes)
                datagrams.append([Self.controlTag] + bytes)
            case .inject(let inputs): injected += inputs
            case .inside(let bytes, let viewer):
                host.handle(.tell(viewer, bytes), now: now)
                drain(now)
            case .selectMonitor(let id): monitorsChosen.append(id)
            case .driver(let viewer):
                host.handle(.driver(viewer), now: now)
                drain(now)
            case .web: break
            }
        }
    }

    /// True if the packet belongs to a lost frame, including its retransmissions and parity.
    private func isLost(_ datagram: [UInt8]) -> Bool {
        guard !lostFrames.isEmpty, !RTCPPacket.isRTCP(datagram.span.bytes) else { return false }
        return datagram.span.bytes.uint32(at: 4).map { lostFrames.contains($0) } ?? false
    }

    private func take(_ event: SourceHost.Event, _ now: Instant) {
        switch event {
        case .keyframeNeeded: wantsKeyframe = true
        case .repairNeeded(let since, _, _):
            repairsAsked.append(since)
            if !ignoresRepairs { repairSince = min(repairSince ?? .max, since) }
        case .watched(let watched):
            isWatched = watched
            nextFrame = now
        case .speaking(_, _, _, let speaks): speaking.append(speaks)
        case .soundWanted(let wanted):
            soundWanted.append(wanted)
            for index in sounds.indices { sounds[index].set(wanted[sounds[index].origin] ?? .none, now: now) }
        default: events.append(event)
        }
    }
}
