private import Foundation
internal import HelioAdmission
internal import HelioCore
internal import HelioGround
import HelioHost
internal import HelioMedia
internal import HelioPicture
private import HelioProtection
internal import HelioRemote
internal import HelioServing
internal import HelioSession
internal import HelioSharing
private import HelioSound
internal import HelioStores
private import HelioTLS
internal import NIOCore
private import Synchronization

/// The serving side of a source, common to all kinds of frames: its sockets, sessions and events.
final class Serving: SoundOutlet {
    let events: SourceEvents
    let server: SourceServer
    private let stream: StreamMailbox
    let players: PlayerEndpoint?
    let web: WebEndpoint?
    /// The virtual microphone of the viewers' voices; `nil` if they are not played.
    let heard: HeardViewers?
    /// The clipboard shared with the driving viewer; `nil` for none.
    let clipboard: SharedClipboard?
    /// The files exchanged with viewers; `nil` for none.
    let files: SharedFiles?
    private let publication: Publication?
    private let recording: HostRecording?
    /// The broadcasts; `nil` if there are none.
    let broadcast: HostBroadcast?
    private let links: LinkMaker
    private let started = MonotonicClock.now
    private let encoderTroubles = Mutex(DropCounter<EncoderTrouble>())
    private let shortage = Mutex<String?>(nil)

    /// Opens all sockets. If something can't be opened, what was opened before is in `parts`, to be stopped.
    ///
    /// - Parameters:
    ///   - codecs: the codecs that can be coded, best first.
    ///   - hardwareCodec: see `StreamAgreement`.
    ///   - sound: the origins of sound that viewers are offered.
    ///   - streamed: the origin of the sound that is sent to players, published and broadcast; `nil` for none.
    ///   - recorded: the origins of sound that a recording contains.
    ///   - slowViewers: the treatment of viewers whose paths carry far less than others'.
    ///   - heard: plays viewers' voices; `nil` plays none.
    ///   - clipboard: shared with the driving viewer; `nil` for none.
    ///   - machine: the machine that viewers drive; `nil` if there is none.
    ///   - parts: gets each part as it starts.
    ///   - loop: the event loop of all sockets.
    init(
        _ options: MirrorSource.Options, format: VideoFormat, codecs: [VideoCodec],
        hardwareCodec: VideoCodec? = nil, allowsControl: Bool, sound: Set<SoundOrigin>,
        streamed: SoundOrigin? = .system, recorded: [SoundOrigin] = [],
        slowViewers: SlowViewerPolicy, heard: HeardViewers? = nil, clipboard: SharedClipboard? = nil,
        feed: any SourceFeed,
        machine: (any DrivenMachine)?, identity: Identity, parts: RunningParts, on loop: any EventLoop
    ) async throws(HelioError) {
        let events = parts.add(SourceEvents())
        parts.add(heard)
        parts.add(clipboard)
        let code = try options.pairingCode.map { code throws(HelioError) in SecretBytes(try ShareLink.secret(code)) }
        let suite = try options.protection?.suiteOptions()
        let name = options.name ?? ProcessInfo.processInfo.hostName
        let audience = Watchers(feed)
        // The file is created first, so that a failure is reported before anybody is admitted.
        let recording: HostRecording? =
            if let wanted = options.recording {
                try HostRecording(
                    wanted, codec: format.codec, sound: recorded, feed: feed, audience: audience,
                    events: events)
            } else {
                nil
            }
        parts.add(recording)
        let broadcast: HostBroadcast? =
            if let wanted = options.broadcast {
                try HostBroadcast(wanted, sound: sound.isEmpty ? nil : streamed, audience: audience, events: events)
            } else {
                nil
            }
        parts.add(broadcast)
        // One limit for both ports, so that a stranger gains nothing by using both.
        let limit = StrangerLimit()
        let stream = StreamMailbox(on: loop)
        loop.execute { ThreadPriority.raise() }
        let web: WebEndpoint? =
            if let wanted = options.web {
                try await WebEndpoint(
                    wanted, address: options.address, bitrate: format.bitrate, identity: identity,
                    strangers: limit, on: loop)
            } else {
                nil
            }
        parts.add(web)
        for note in web?.notes ?? [] { events.note(note) }
        var settings = SourceHost.Settings(
            format: format, allowsControl: allowsControl, codecs: codecs, hardwareCodec: hardwareCodec,
            pairing: .init(asks: options.asksToPair, code: code), name: name, suite: suite,
            adaptsBitrate: options.adaptation != .off, slowViewers: slowViewers, web: web?.settings)
        settings.sound = sound
        settings.hearsViewers = heard != nil
        settings.clipboard = clipboard?.terms
        settings.clipboardPlace = clipboard?.place
        let files = try options.files.map { wanted throws(HelioError) in try SharedFiles(wanted) }
        parts.add(files)
        settings.files = files != nil
        let links = LinkMaker(address: options.address, identity: identity, web: web)
        let reports = HostReports(
            feed: feed, audience: audience, heard: heard, clipboard: clipboard, files: files, links: links,
            events: events)
        let server = parts.add(
            try await SourceServer.start(
                .init(
                    address: options.address, port: options.port, host: settings,
                    inputRate: options.inputRate.map { UInt16($0) }, strangers: limit),
                identity: identity, devices: options.places.devices, web: web?.serving, stream: stream,
                observer: reports, machine: machine, on: loop))
        reports.connect(server)
        if let happenings = files?.events() {
            Task { for await event in happenings { events.put(.files(event)) } }
        }
        let isStreamed = streamed != nil && !sound.isEmpty
        players = parts.add(
            try await options.players?.open(
                format: format, sound: isStreamed ? options.players?.sound?.streamed : nil,
                soundOrigin: streamed ?? .system,
                feed: feed, audience: audience, stream: stream, events: events, on: loop))
        await web?.open(for: server)
        publication = parts.add(
            try await options.publication?.open(
                format: format, sound: isStreamed ? options.publication?.sound?.streamed : nil,
                soundOrigin: streamed ?? .system,
                feed: feed, audience: audience, stream: stream, events: events, on: loop))
        if options.isAdvertised {
            parts.add(
                HostAdvertising(
                    name: name, address: options.address, port: server.localPort, fingerprint: identity.fingerprint,
                    web: web.map { (port: $0.port, usesTLS: options.web?.usesTLS ?? false) }, events: events))
        }
        self.recording = recording
        self.broadcast = broadcast
        self.heard = heard
        self.clipboard = clipboard
        self.files = files
        self.web = web
        self.events = events
        self.server = server
        self.stream = stream
        self.links = links
        recording?.begin()
    }

    func link(secret: [UInt8]) -> MirrorSource.Link { links.link(port: server.localPort, secret: secret) }

    /// Sends a slice to all audiences.
    ///
    /// - Returns: false if it was not accepted: the frame is incomplete, and a keyframe is needed.
    func submit(_ slice: EncodedSlice) -> Bool {
        let isTaken = stream.put(slice)
        files?.count(pictures: slice.annexB.count)
        // The viewers' queue comes first, so that recording and broadcast add no latency.
        recording?.take(slice)
        broadcast?.takeShared(slice)
        return isTaken
    }

    /// Sends a packet of sound to all audiences that want its encode.
    func submit(_ sound: EncodedSound) {
        stream.put(sound)
        recording?.take(sound)
        broadcast?.submit(sound)
    }

    func captured(_ devices: [SharedSound]) { events.put(.soundShared(devices)) }

    func note(_ sentence: String) { events.note(sentence) }

    /// Changes the stream's format from the next slice on.
    func change(_ format: VideoFormat) {
        stream.change(to: format)
        recording?.set(format.codec)
    }

    /// Replaces the app's stream by one of another format, from the next slice on.
    func replace(by format: VideoFormat, wantedSize: PixelSize) {
        stream.replace(by: format, wantedSize: wantedSize)
        recording?.set(format.codec)
    }

    /// Counts an encoder failure that sharing survived.
    func count(_ trouble: EncoderTrouble) { encoderTroubles.withLock { $0.count(trouble) } }

    /// Sets the cause why size or frame rate are below the agreed ones; `nil` if they are not.
    func setShortage(_ cause: String?) { shortage.withLock { $0 = cause } }

    /// Informs the host that no hardware encoder works any more.
    func hardwareFailed() { server.submit(.hardwareFailed) }

    /// Informs the host of the format of the second encode.
    func changeSecond(_ format: VideoFormat) { server.submit(.secondFormat(format)) }

    /// Informs the host that a second encode is impossible.
    func secondFailed() { server.submit(.secondFailed) }

    /// Informs the host of the wanted size, before any viewer's limit.
    func wish(_ size: PixelSize) { server.submit(.size(size)) }

    /// The status of the recording; `nil` if there is none.
    var recordingStatus: RecordingStatus? { recording?.status }

    /// The statistics of viewers, players, publication and drops.
    func statistics() async throws -> SourceStatistics {
        SourceStatistics(
            try await server.statistics(), players: try await players?.statistics(),
            publication: try await publication?.statistics(), shortage: shortage.withLock { $0 }, files: files?.traffic,
            others: events.drops.merging(stream.drops) { $0 + $1 }.merging(await web?.drops() ?? [:]) { $0 + $1 }
                .merging(
                    encoderTroubles.withLock { $0.byName }
                ) { $0 + $1 }.merging(files?.drops ?? [:]) { $0 + $1 },
            time: MonotonicClock.now - started)
    }
}
