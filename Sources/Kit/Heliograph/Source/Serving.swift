internal import HelioAdmission
internal import HelioCore
internal import HelioGround
import HelioHost
private import HelioLoop
internal import HelioMedia
internal import HelioPicture
private import HelioProtection
internal import HelioServing
internal import HelioSharing
internal import HelioStores
private import HelioTLS
internal import NIOCore
private import Synchronization

/// The serving side of a source, common to a shared screen and to frames from an app: its sockets, sessions and events.
final class Serving: SoundOutlet {
    let events: SourceEvents
    let server: SourceServer
    private let stream: StreamMailbox
    let players: PlayerEndpoint?
    let web: WebEndpoint?
    /// The endpoint for viewers on all networks; `nil` for none.
    private let rendezvous: RendezvousEndpoint?
    /// The app's own signalling services.
    private let signaling: [AppSignaling]
    /// The virtual microphone that plays the viewers' voices; `nil` if they are not played.
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

    /// The media that a source offers to its audiences, and its handling of viewers.
    struct Offer {
        /// The format in which the stream is encoded if every viewer accepts it.
        var format: VideoFormat
        /// The codecs that can be encoded, best first.
        var codecs: [VideoCodec]
        /// The codec to encode in hardware if every viewer decodes it in hardware; `nil` if there is none, or if the
        /// codec is fixed.
        var hardwareCodec: VideoCodec?
        /// True if viewers may drive.
        var allowsControl: Bool
        /// The origins of sound that viewers are offered.
        var sound: Set<SoundOrigin>
        /// The origin of the sound that is sent to players, published and broadcast; `nil` for none. Its track exists
        /// from the start, and is silent while there is no device, because no track can be added later.
        var streamed: SoundOrigin?
        /// The origins of sound that a recording contains.
        var recorded: [SoundOrigin]
        /// The handling of viewers whose paths carry far less than those of others.
        var slowViewers: SlowViewerPolicy
    }

    /// Opens all sockets. If this throws, the caller has to stop the parts in `ground`.
    ///
    /// - Parameters:
    ///   - feed: the supplier of the frames, which receives the viewers' requests.
    ///   - machine: the machine that viewers drive; `nil` if there is none.
    ///   - heard: plays viewers' voices; `nil` plays none.
    ///   - clipboard: the clipboard to share with the driving viewer; `nil` for none.
    init(
        _ offer: Offer, feed: any SourceFeed, machine: (any DrivenMachine)?, heard: HeardViewers?,
        clipboard: SharedClipboard?, on ground: Groundwork
    ) async throws(HelioError) {
        let (options, parts) = (ground.options, ground.parts)
        events = ground.events
        self.heard = heard
        self.clipboard = clipboard
        var settings = try Self.settings(offer, on: ground)
        stream = StreamMailbox(on: ground.loop)
        ground.loop.execute { ThreadPriority.raise() }
        let supply = StreamSupply(
            format: offer.format, sound: offer.streamed, feed: feed, audience: Watchers(feed), mailbox: stream)
        // The file is created first, so that a failure is reported before any viewer is admitted.
        (recording, broadcast) = try Self.prepareRecording(of: supply, offer, on: ground)
        // The page's port and the host's own share one limit of unauthenticated connections, so that a client gains
        // nothing by using both ports.
        let strangers = StrangerLimit()
        web = try await Self.openPage(bitrate: offer.format.bitrate, strangers: strangers, on: ground)
        files = try Self.openFiles(on: ground)
        settings.hearsViewers = heard != nil
        settings.clipboard = clipboard?.terms
        settings.clipboardPlace = clipboard?.place
        settings.files = files != nil
        settings.web = web?.settings
        // Stopped after the server, so that its goodbyes to viewers still go out.
        let rendezvous = parts.add(try await Self.openRendezvous(on: ground))
        self.rendezvous = rendezvous
        settings.rendezvous = rendezvous?.place
        settings.wake = WakeAddresses(HardwareInterfaces.addresses())
        let signaling = try await Self.makeSignaling(for: web, on: ground)
        self.signaling = signaling
        links = LinkMaker(
            address: options.address, identity: ground.identity, web: web, rendezvous: rendezvous?.place)
        let reports = HostReports(
            feed: feed, audience: supply.audience, heard: heard, clipboard: clipboard, files: files, links: links,
            rendezvous: rendezvous, events: events)
        server = parts.add(
            try await SourceServer.start(
                .init(
                    address: options.address, port: options.port, host: settings,
                    inputRate: options.inputRate.map { UInt16($0) }, strangers: strangers),
                identity: ground.identity, devices: options.places.devices, web: web?.serving, stream: stream,
                observer: reports, machine: machine, on: ground.loop))
        reports.connect(server)
        await web?.open(for: server)
        if let rendezvous, let secret = try? await server.currentSecret() {
            rendezvous.begin(
                server, secret: options.admitsPairedOnly ? nil : secret, browsers: web?.callers)
        }
        for service in signaling { try await service.start() }
        players = parts.add(try await options.players?.open(supply, on: ground))
        publication = parts.add(try await options.publication?.open(supply, on: ground))
        if options.isAdvertised { parts.add(HostAdvertising(on: ground, port: server.localPort, web: web)) }
        recording?.begin()
    }

    /// Makes those of the host's settings that follow from the offer and the options. Throws `invalidArgument` if the
    /// pairing code or the protection suite is invalid.
    private static func settings(_ offer: Offer, on ground: Groundwork) throws(HelioError) -> SourceHost.Settings {
        let options = ground.options
        let code = try options.pairingCode.map { code throws(HelioError) in SecretBytes(try ShareLink.secret(code)) }
        var settings = SourceHost.Settings(
            format: offer.format, allowsControl: offer.allowsControl, codecs: offer.codecs,
            hardwareCodec: offer.hardwareCodec, pairing: .init(asks: options.asksToPair, code: code),
            name: ground.name, suite: try options.protection?.suiteOptions(),
            adaptsBitrate: options.adaptation != .off, slowViewers: offer.slowViewers)
        settings.sound = offer.sound
        settings.admitsLinks = !options.admitsPairedOnly
        return settings
    }

    /// Creates the recording's file, and makes the broadcasts without connecting them, if the options ask for them.
    /// Throws `invalidArgument` or `systemFailed`.
    private static func prepareRecording(
        of supply: StreamSupply, _ offer: Offer, on ground: Groundwork
    ) throws(HelioError) -> (HostRecording?, HostBroadcast?) {
        let recording = try ground.options.recording.map { wanted throws(HelioError) in
            try HostRecording(wanted, sound: offer.recorded, of: supply, events: ground.events)
        }
        ground.parts.add(recording)
        let broadcast = try ground.options.broadcast.map { wanted throws(HelioError) in
            try HostBroadcast(wanted, sound: supply.sound, audience: supply.audience, events: ground.events)
        }
        return (recording, ground.parts.add(broadcast))
    }

    /// Opens the endpoint for browsers if the options ask for one, and reports its notes as events.
    private static func openPage(
        bitrate: Bitrate, strangers: StrangerLimit, on ground: Groundwork
    ) async throws(HelioError) -> WebEndpoint? {
        guard let wanted = ground.options.web else { return nil }
        let web = ground.parts.add(
            try await WebEndpoint(
                wanted, address: ground.options.address, bitrate: bitrate, identity: ground.identity,
                strangers: strangers, on: ground.loop))
        for note in web.notes { ground.events.note(note) }
        return web
    }

    /// Opens the endpoint for viewers on all networks if the options ask for one.
    private static func openRendezvous(on ground: Groundwork) async throws(HelioError) -> RendezvousEndpoint? {
        guard let server = ground.options.rendezvous else { return nil }
        return try await RendezvousEndpoint(server, on: ground)
    }

    /// Makes the parts for the app's own signalling services. Throws `invalidArgument` if there is no endpoint for
    /// browsers.
    private static func makeSignaling(
        for web: WebEndpoint?, on ground: Groundwork
    ) async throws(HelioError) -> [AppSignaling] {
        let services = ground.options.signaling
        if services.isEmpty { return [] }
        guard let web else {
            throw HelioError(
                .invalidArgument, "A signalling service needs the endpoint for browsers: have the source serve a page.")
        }
        var made: [AppSignaling] = []
        for service in services { made.append(ground.parts.add(await AppSignaling(service, for: web.callers))) }
        return made
    }

    /// Makes the exchange of files if the options ask for one, and forwards its events to the app.
    private static func openFiles(on ground: Groundwork) throws(HelioError) -> SharedFiles? {
        guard let wanted = ground.options.files else { return nil }
        let files = ground.parts.add(try SharedFiles(wanted))
        let (happenings, events) = (files.events(), ground.events)
        Task { for await event in happenings { events.put(.files(event)) } }
        return files
    }

    func link(secret: [UInt8]) -> MirrorSource.Link { links.link(port: server.localPort, secret: secret) }

    /// Sends a slice to all audiences.
    ///
    /// - Returns: false if the viewers' queue did not accept the slice: the frame is then incomplete, and a keyframe is
    ///   needed.
    func submit(_ slice: EncodedSlice) -> Bool {
        let isTaken = stream.put(slice)
        files?.count(pictures: slice.annexB.count)
        // The viewers' queue comes first, so that recording and broadcast add no latency.
        recording?.take(slice)
        broadcast?.takeShared(slice)
        return isTaken
    }

    /// Sends a packet of sound to all audiences that want its encoding.
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

    /// Changes the format of the app's stream from the next slice on; `wantedSize` is the size that the app prefers.
    func replace(by format: VideoFormat, wantedSize: PixelSize) {
        stream.replace(by: format, wantedSize: wantedSize)
        recording?.set(format.codec)
    }

    /// Counts an encoder failure after which sharing continues.
    func count(_ trouble: EncoderTrouble) { encoderTroubles.withLock { $0.count(trouble) } }

    /// Sets the human-readable reason for a size or frame rate below the agreed one; `nil` if neither is lower.
    func setShortage(_ cause: String?) { shortage.withLock { $0 = cause } }

    /// The status of the recording; `nil` if there is none.
    var recordingStatus: RecordingStatus? { recording?.status }

    /// The statistics of viewers, players, publication, files and drops. Sound, recording and broadcasts are left out.
    func statistics() async throws -> SourceStatistics {
        var host = try await server.statistics()
        let page = await web?.drops()
        let tunnels = await rendezvous?.drops()
        for service in signaling { host.drops.add(await service.drops()) }
        host.drops.add(events, stream, page, tunnels, encoderTroubles.withLock { $0 }, files, heard?.voices)
        var all = SourceStatistics(
            host, players: try await players?.statistics(), publication: try await publication?.statistics(),
            shortage: shortage.withLock { $0 }, files: files?.traffic, time: MonotonicClock.now - started)
        if let rendezvous {
            let links = await rendezvous.links(of: host.viewers.map(\.route))
            for (index, link) in links.enumerated() { all.viewers[index].link = link }
        }
        return all
    }
}
