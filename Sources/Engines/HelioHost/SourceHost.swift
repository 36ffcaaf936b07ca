internal import DequeModule
package import HelioAdmission
package import HelioCore
package import HelioMedia
package import HelioProtection
import HelioRTP
package import HelioRemote
package import HelioRemoteWire
package import HelioSession
import HelioTransfer
package import HelioTransferWire

/// The sharing machine as one engine: admission, every viewer's session, and one encoded stream for all, or two if
/// some viewers' paths are far slower than others'.
///
/// The engine owns all state except that of control, which `HostControl` owns; the driver only moves bytes. A datagram
/// identifies its viewer by its SSRC (in RTCP, the sender SSRC), and is accepted from any address if it authenticates
/// under that viewer's keys, so that a viewer whose address changes stays connected.
package final class SourceHost: Audience, DropCounting, SessionHost {
    package struct Settings: Sendable {
        /// The wanted format; its frame rate and bitrate are upper limits of the agreed ones. The input `size` changes
        /// its size later.
        package var format: VideoFormat
        /// True if viewers may drive the machine.
        package var allowsControl: Bool
        package var viewerLimit: Int
        /// The settings of pairing: whether a user at the host compares codes, and a code for pairing without one.
        package var pairing: PairingDesk.Settings
        /// The host's name, for paired devices.
        package var name: String
        /// The codecs that can be encoded, best first.
        package var codecs: [VideoCodec]
        /// The codec to encode by hardware for viewers that also decode it by hardware; `nil`: there is none, or the
        /// codec is fixed.
        package var hardwareCodec: VideoCodec?
        /// The encryption suite that this end has chosen, for viewers that have chosen the same; `nil` is AES-GCM for
        /// all.
        package var suite: SuiteOptions?
        /// False if the agreed bitrate is encoded regardless of the viewers' paths.
        package var adaptsBitrate: Bool
        /// The handling of viewers whose paths are far slower than the others'; without `adaptsBitrate` it has no
        /// effect.
        package var slowViewers: SlowViewerPolicy
        /// The settings for browsers; `nil`: browsers are not served.
        package var web: WebSettings?
        /// The origins whose sound the host shares.
        package var sound: Set<SoundOrigin> = []
        /// True if viewers' voices are accepted.
        package var hearsViewers = false
        /// The directions in which the clipboard is shared, and its size limit; `nil` if there is no clipboard.
        package var clipboard: ClipboardTerms?
        /// The identifier of the host machine's clipboard (`ClipboardAccess.place`); `nil` if it has none.
        package var clipboardPlace: String?
        /// True if files may be sent to viewers, and received from them.
        package var files = false
        /// The place where the host is reached from any network, which paired devices are told; `nil` for none.
        package var rendezvous: HostRendezvous?
        /// The addresses by which the host is woken while it sleeps, which paired devices are told; `nil` for none.
        package var wake: WakeAddresses?
        /// False to admit only paired devices, and nobody by a link.
        package var admitsLinks = true

        /// - Parameter codecs: the codecs that can be encoded; `nil`: only the format's own.
        package init(
            format: VideoFormat, allowsControl: Bool, viewerLimit: Int = 16, codecs: [VideoCodec]? = nil,
            hardwareCodec: VideoCodec? = nil, pairing: PairingDesk.Settings = .init(), name: String = "host",
            suite: SuiteOptions? = nil, adaptsBitrate: Bool = true, slowViewers: SlowViewerPolicy = .slowestDecides,
            web: WebSettings? = nil
        ) {
            self.format = format
            self.codecs = codecs ?? [format.codec]
            self.hardwareCodec = hardwareCodec
            self.allowsControl = allowsControl
            self.viewerLimit = viewerLimit
            self.pairing = pairing
            self.name = DeviceName.clean(name, fallback: "host")
            self.suite = suite
            self.adaptsBitrate = adaptsBitrate
            self.slowViewers = adaptsBitrate ? slowViewers : .slowestDecides
            self.web = web
        }
    }

    package enum Input: ConnectionInput, AudienceInput {
        case connected(ConnectionID, address: String)
        /// A connection came through a tunnel. `address` is the viewer's own, by which limits count it and people know
        /// it; its datagrams come from the virtual path `route`.
        case adopted(ConnectionID, address: String, route: PathID)
        case received(ConnectionID, [UInt8])
        /// The kernel has accepted this many of the bytes sent to a connection.
        case written(ConnectionID, Int)
        case disconnected(ConnectionID)
        /// An input from a browser. All viewers, native and browsers, have distinct IDs.
        case web(ConnectionID, WebInput)
        /// A message from `HostControl` to a browser.
        case tellWeb(ConnectionID, [UInt8], RemoteChannel)
        case media([UInt8], from: PathID)
        /// A datagram from `HostControl` for the viewer with this SSRC, to be sent inside its connection.
        case tell(SSRC, [UInt8])
        case slice(EncodedSlice)
        case sound(EncodedSound)
        /// The format that is encoded from the next slice on.
        case format(VideoFormat)
        /// The second encoding's format from the next slice on; its codec is that of the main encoding.
        case secondFormat(VideoFormat)
        /// No encoder is available for a second encoding.
        case secondFailed
        /// The hardware encoder has failed, and is no longer used.
        case hardwareFailed
        /// The source was replaced: this is the wanted format from now on, and its codec the only one. Viewers that
        /// can't decode that codec are disconnected. The format's size may already be limited for viewers; `wantedSize`
        /// is the size before any limit.
        case source(VideoFormat, wantedSize: PixelSize)
        /// The screen's size has changed: the new wanted size, before any viewer's limit.
        case size(PixelSize)
        /// The captured screen has this size from now on, for browsers. `scale` is that of the monitor that is captured
        /// from now on, in pixels per point, or `nil` if the monitor is the same as before.
        case screen(PixelSize, scale: Double?)
        case cursorShape(CursorShape)
        /// The pointer has moved to this position, in pixels of the captured screen; for browsers, as native viewers
        /// get it from `HostControl`.
        case cursorMoved(x: Int, y: Int)
        /// The present monitors, and the one that is shown.
        case monitors([MonitorEntry], selected: String?)
        /// All paired devices, which are admitted without confirmation. A viewer whose device is no longer listed is
        /// disconnected.
        case devices([PairedDevice])
        /// The time of day at the host, in its time zone; `nil` if it is unknown. A viewer whose device's hours are
        /// over is disconnected. Devices with hours are refused before the first.
        case time(TimeOfDay?)
        /// The answer of the host's user to a `PairingDesk.Question`; it is ignored if it comes too late.
        case answerPairing(ConnectionID, PairingDesk.Answer)
        /// Withdraws or restores the permission to drive for viewers with this device name or address; with `nil` for
        /// all viewers, including later ones. It never permits more than settings and pairing do.
        case permitControl(Bool, viewer: String?)
        /// The host's user kicks a viewer; ignored if the viewer is gone.
        case putOut(ConnectionID)
        /// The viewer that drives from now on, as `HostControl` has reported.
        case driver(DrivingViewer)
        /// An event of the host machine's clipboard, such as a copy or a paste by one of its programs.
        case clipboard(ClipboardEvent)
        /// The directions in which the clipboard is shared from now on, and its size limit.
        case clipboardTerms(ClipboardTerms)
        /// File-transfer messages for a viewer; their bytes must have been granted before.
        case files([[UInt8]], to: ConnectionID)
        /// A viewer has sent more file-transfer messages than its credit allows, so it is disconnected.
        case filesFlooded(ConnectionID)
    }

    package enum Output {
        case send(ConnectionID, [UInt8])
        case close(ConnectionID)
        case media([UInt8], to: PathID)
        case web(ConnectionID, WebOutput)
        /// A packet of a viewer's voice, in the order of arrival.
        case voice(ConnectionID, ReceivedSound)
        /// A command to the host machine's clipboard, to offer, read or provide content.
        case clipboard(ClipboardOrder)
        case files(ConnectionID, FileNews)
        /// An input for `HostControl`: a change of a viewer's channel or permission, or a viewer's message.
        case control(HostControl.Input)
        /// The SSRCs of all viewers. The driver can drop datagrams with other SSRCs at the media and control ports, as
        /// they belong to no viewer; a datagram's SSRC is not encrypted.
        case sources([SSRC])
        case event(Event)
    }

    package static let servesSecond = true

    package typealias Event = HostEvent
    package typealias Drop = HostDrop

    package let crypto: any CryptoProvider
    package var desk: AdmissionDesk
    package var pairing: PairingDesk
    /// The format of the main encoding.
    var format: VideoFormat { main.format }
    /// The wanted format, before any viewer's limit; its frame rate and bitrate are upper limits of the agreed ones.
    private var wished: VideoFormat
    /// The codecs that can be encoded, best first.
    private var codecs: [VideoCodec]
    private var hardwareCodec: VideoCodec?
    private var agreement: StreamAgreement?
    package private(set) var mediaPort: UInt16 = 0
    package private(set) var controlPort: UInt16 = 0

    let settings: Settings
    private let fingerprint: [UInt8]
    /// The names and addresses of viewers that the host's user does not let drive for now, though settings and pairing
    /// allow it.
    private var withheld: Set<String> = []
    private var isWithheldFromAll = false
    package var random: any RandomNumberGenerator & Sendable
    private(set) var sessions = OrderedTable<ConnectionID, SourceSession>()
    var web = WebAudience()
    private var bySSRC: [SSRC: SourceSession] = [:] {
        didSet { outputs.append(.sources(bySSRC.keys.sorted { $0.rawValue < $1.rawValue })) }
    }
    var outputs = Deque<Output>()
    private var drops = DropCounter<Drop>()
    /// The counts of ended sessions' drops, by name.
    var earlierDrops: [String: Int] = [:]
    /// The bitrates that the paths to earlier viewers carried.
    var paths = PathMemory()
    private(set) var isWatched = false
    /// The sound demand in the last event `soundWanted`.
    var toldSound: [SoundOrigin: SoundDemand] = [:]
    /// The captured screen, for browsers: its size, and its scale in pixels per point.
    var screen: (size: PixelSize, scale: Double)
    var cursorShape: CursorShape?
    var main: HostEncode
    /// The encoding for viewers whose paths are far slower than the others'; `nil` if there is none.
    var second: HostEncode?
    /// The viewers that are sent the second encoding.
    var onSecond: Set<ConnectionID> = []
    var split: AudienceSplit
    var slowViewers: SlowViewerPolicy
    /// True between the first and last slice of a frame.
    private(set) var isInFrame = false
    var clipboard: ClipboardHub<ConnectionID>
    /// The viewer that shares its clipboard with the host: the viewer that drives, or that drove last.
    var clipboardSharer: ConnectionID?
    /// The allowance of bytes for file transfer, by viewer.
    var allowances: [ConnectionID: FileAllowance] = [:]
    /// The present `MonitorsMessage` for viewers; `nil` before the first.
    var monitors: [UInt8]?

    package init(
        _ settings: Settings, fingerprint: [UInt8], crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        self.fingerprint = fingerprint
        self.crypto = crypto
        self.random = random
        wished = settings.format
        screen = (settings.format.size, 1)
        main = HostEncode(.main, format: settings.format, rate: EncoderRate(agreed: settings.format.bitrate))
        slowViewers = settings.slowViewers
        split = AudienceSplit(settings.slowViewers)
        codecs = settings.codecs
        hardwareCodec = settings.hardwareCodec
        desk = AdmissionDesk(
            fingerprint: fingerprint, crypto: crypto, admitsLinks: settings.admitsLinks, random: &self.random)
        pairing = PairingDesk(settings.pairing, fingerprint: fingerprint, crypto: crypto)
        clipboard = ClipboardHub(terms: settings.clipboard ?? .nothing, now: now)
    }

    /// Sets the ports of the driver's sockets, which are sent to viewers in SETUP responses.
    package func setPorts(media: UInt16, control: UInt16) {
        mediaPort = media
        controlPort = control
    }

    package var linkSecret: SecretBytes { desk.secret }

    /// The progress of a viewer, native or browser, that is not admitted yet; `nil` once it is admitted. An unknown
    /// connection counts as `connected`.
    package func progress(of connection: ConnectionID) -> Stranger.Progress? {
        if let session = sessions[connection] { return session.state.progress }
        return web.sessions[connection].map(\.state.progress) ?? .connected
    }

    package func knows(_ connection: ConnectionID) -> Bool {
        sessions[connection] != nil || web.sessions[connection] != nil
    }

    /// The state of a connection's session; `nil` once it has ended.
    package func state(of connection: ConnectionID) -> SessionState? { sessions[connection]?.state }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id, let address): connect(id, address, now)
        case .adopted(let id, let address, let route): connect(id, address, route: route, now)
        case .received(let id, let bytes):
            guard let session = sessions[id] else { return }
            session.handle(bytes, host: self, now: now)
            drain(session, now)
        case .written(let id, let count):
            guard let session = sessions[id] else { return }
            session.wrote(count, now: now)
            if let media = session.media, media.transport == .tcp { drain(media, of: id, now) }
            if session.hasTransfer { execute(session, now) }
        case .tell(let viewer, let bytes):
            guard let session = bySSRC[viewer] else { return }
            session.send(control: bytes, host: self)
            drain(session, now)
        case .disconnected(let id):
            guard let session = sessions[id] else { return }
            session.end("connection closed", close: false, now: now)
            drain(session, now)
        case .web(let id, let input): handle(input, of: id, now: now)
        case .tellWeb(let id, let message, let channel): tellWeb(id, message, on: channel, now: now)
        case .media(let bytes, let path): take(media: bytes, from: path, now)
        case .sound(let sound): send(sound, now)
        case .slice(let slice):
            if slice.encoding == .main { main.heard(slice, now: now) } else { second?.heard(slice, now: now) }
            isInFrame = !slice.isLast
            send(slice, now)
            if slice.isLast { followSplit(now) }
        case .format(let format):
            change(to: format)
            announceTerms(now)
        case .secondFormat(let format):
            second?.format = format
            announceTerms(now)
        case .secondFailed: loseSecond(now)
        case .hardwareFailed:
            hardwareCodec = nil
            if agreement != nil, let agreed = agree() { adopt(agreed, now) }
        case .source(let format, let wantedSize): replaceSource(by: format, wantedSize, now: now)
        case .size(let size):
            wished.size = size
            if agreement != nil, let agreed = agree() { adopt(agreed, now) }
        case .screen(let size, let scale):
            screen = (size, scale ?? screen.scale)
            tellWeb(screenInfo, now: now)
        case .cursorMoved(let x, let y): tellWeb(.cursorPos(x: x, y: y), now: now)
        case .cursorShape(let shape): show(shape, now)
        case .monitors(let list, let selected): show(list, selected: selected, now)
        case .devices(let list):
            desk.setDevices(list)
            followDesk(now)
        case .time(let time):
            desk.time = time
            followDesk(now)
        case .answerPairing(let id, let answer):
            guard let session = sessions[id] else { return answerWebPairing(id, answer, now: now) }
            session.answerPairing(answer, host: self, now: now)
            drain(session, now)
        case .permitControl(let allowed, let viewer):
            permitControl(allowed, viewer: viewer, now: now)
        case .putOut(let id): kick(id, now: now)
        case .driver(let viewer): drives(viewer, now)
        case .clipboard(let event): handle(.clipboard(event), now)
        case .clipboardTerms(let terms): handle(.terms(terms), now)
        case .files(let messages, let viewer): send(files: messages, to: viewer, now)
        case .filesFlooded(let id): kickForFlooding(id, now: now)
        }
    }

    /// Passes a viewer's report or voice packet to its session.
    private func take(media bytes: [UInt8], from path: PathID, _ now: Instant) {
        guard let session = viewer(of: bytes) else { return drops.count(.unknownViewer) }
        let place = session.media?.path?.ip
        session.media?.handle(bytes, from: path, now: now, random: &random)
        if let proven = session.media?.path?.ip, proven != place {
            outputs.append(.control(.moved(session.viewerSSRC, to: proven)))
        }
        drain(session, now)
    }

    /// Disconnects the viewers whose devices are no longer paired, or whose hours are over.
    private func followDesk(_ now: Instant) {
        // Remove the content from the host's clipboard if it came from a viewer that has to go.
        if let sharer = clipboardSharer, let viewer = session(of: sharer)?.viewer,
            !viewer.isPaired(in: desk.devices) || viewer.device.map(desk.isWithinHours) == false
        {
            dropClipboard(of: sharer, now)
        }
        updateViewers(now) { session in
            session.follow(desk, now: now)
            session.permit(mayDrive(session))
        }
        followClipboard(now)
        followFiles()
    }

    package func tick(now: Instant) {
        for session in sessions.values {
            session.tick(host: self, now: now)
            drain(session, now)
        }
        tickWeb(now)
        tickClipboard(now)
        tickFiles(now)
        tellPictures(now)
        if let due = split.deadline, now >= due.at { suggest(now) }
        tellRate(now)
    }

    package func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        let encoder = Deadline.earliest(.earliest(main.deadline, second?.deadline), split.deadline)
        let others = Deadline.earliest(
            .earliest(webDeadline, .earliest(clipboard.deadline, filesDeadline)), encoder)
        return sessions.values.reduce(others) { Deadline.earliest($0, $1.deadline) }
    }

    /// Ends every viewer's session, with BYE.
    package func stop(now: Instant) {
        updateViewers(now) { $0.kick(.sharingEnded, "sharing ended", now: now) }
    }

    private func kick(_ id: ConnectionID, _ reason: String = "put out", now: Instant) {
        dropClipboard(of: id, now)
        update(id, now) { $0.kick(.putOut, reason, now: now) }
    }

    private func kickForFlooding(_ id: ConnectionID, now: Instant) {
        // The flood may be reported after the viewer was disconnected.
        guard knows(id) else { return }
        drops.count(.floodedFiles)
        kick(id, "sent more about files than it may", now: now)
    }

    // MARK: Session services

    package func makeSSRC() -> SSRC {
        while true {
            let ssrc = SSRC(.random(in: 1 ... .max, using: &random))
            if bySSRC[ssrc] == nil { return ssrc }
        }
    }

    /// Makes the offer to a viewer; `nil` if no codec serves this viewer and all others.
    package func makeOffer(
        for session: SourceSession, taking capabilities: StreamCapabilities, now: Instant
    ) -> StreamOffer? {
        guard let agreement = agree(with: capabilities) else { return nil }
        adopt(agreement, now)
        var offer = StreamOffer(
            format: agreement.format, coded: main.rate.current, codedFramesPerSecond: format.framesPerSecond,
            mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &random),
            controlKey: SealedKey(using: &random), allowsControl: mayDrive(session))
        offer.hostName = name.isEmpty ? nil : name
        offer.sounds = makeSounds(for: capabilities)
        offer.takesVoice = settings.hearsViewers
        return offer
    }

    /// Negotiates the encryption suite of a connection: checks the viewer's header, and makes the host's header.
    package func judgeSuite(
        _ header: String?, clientNonce: [UInt8], hostNonce: [UInt8]
    ) throws(SuiteHandshake.Refusal) -> SuiteHandshake.Outcome {
        let handshake = SuiteHandshake(
            settings.suite, certificateFingerprint: fingerprint, clientNonce: clientNonce, hostNonce: hostNonce,
            crypto: crypto)
        return try handshake.judge(header, vectorSeed: SecretBytes(count: 32, using: &random))
    }

    package var name: String { settings.name }
    package var rendezvous: HostRendezvous? { settings.rendezvous }
    package var wake: WakeAddresses? { settings.wake }
    package var hearsViewers: Bool { settings.hearsViewers }
    package var agreedBitrate: Bitrate { (agreement?.format ?? wished).bitrate }
    package func terms(for session: SourceSession) -> StreamTerms {
        let encode = (encoding(of: session.id) == .second ? second : nil) ?? main
        return StreamTerms(
            agreement?.format ?? wished, coded: encode.rate.current,
            codedFramesPerSecond: encode.format.framesPerSecond)
    }
    package var allowsControl: Bool { settings.allowsControl }
    package var hasRoomForDevice: Bool { desk.hasRoom }
    package var clipboardPlace: String? { settings.clipboardPlace }

    /// Returns the name to show for a viewer that is not paired: the name that it has sent, marked as not paired if a
    /// paired device has the same name.
    func nameOfGuest(_ name: String) -> String {
        let isTaken = desk.devices.values.contains { $0.name.lowercased() == name.lowercased() }
        return isTaken ? "\(name) (not paired)" : name
    }

    package func add(_ device: PairedDevice) { desk.add(device) }
    package func count(_ drop: Drop) { drops.count(drop) }
    package func knownBitrate(to address: IPAddress?, now: Instant) -> Bitrate? {
        address.flatMap { paths.start(to: $0, now: now) }
    }

    package func makeNonce() -> [UInt8] { SecretBytes(count: AdmissionDesk.nonceBytes, using: &random).bytes }

    // MARK: Control

    /// Returns whether the viewer may drive now, by the settings, its pairing, and the host's user.
    func mayDrive(_ session: any ViewerSession) -> Bool {
        let device = session.device
        return settings.allowsControl && device?.allowsControl ?? true && !isWithheldFromAll
            && !withheld.contains(session.address) && !(device.map { withheld.contains($0.name) } ?? false)
    }

    private func permitControl(_ allowed: Bool, viewer: String?, now: Instant) {
        if let viewer {
            if allowed { withheld.remove(viewer) } else { withheld.insert(viewer) }
        } else {
            isWithheldFromAll = !allowed
            if allowed { withheld = [] }
        }
        updateViewers(now) { $0.permit(mayDrive($0)) }
        followClipboard(now)
    }

    // MARK: Negotiation

    private func change(to format: VideoFormat) {
        let isOtherCodec = format.codec != self.format.codec
        main.format = format
        for session in sessions.values where isOtherCodec { session.media?.skipToKeyframe() }
    }

    private func replaceSource(by format: VideoFormat, _ wantedSize: PixelSize, now: Instant) {
        wished = format
        wished.size = wantedSize
        codecs = [format.codec]
        hardwareCodec = nil
        change(to: format)
        updateViewers(now) { session in
            guard let codecs = session.capabilities?.codecs, !codecs.contains(format.codec) else { return }
            session.kick(.otherCodec, "does not decode \(format.codec.encodingName)", now: now)
        }
        if let agreed = agree() { adopt(agreed, now) }
    }

    /// The agreement for all present viewers, and for a newcomer if given; `nil` if no codec serves all of them.
    func agree(with newcomer: StreamCapabilities? = nil) -> StreamAgreement? {
        let sinks = sessions.values.filter { $0.state != .ended }.compactMap(\.capabilities) + webCapabilities
        return StreamAgreement(
            wanted: wished, codecs: codecs, hardware: hardwareCodec, sinks: sinks + (newcomer.map { [$0] } ?? []))
    }

    func adopt(_ agreed: StreamAgreement, _ now: Instant) {
        if agreed == agreement { return }
        let isNews = agreement != nil || agreed.format != wished || !agreed.reasons.isEmpty
        agreement = agreed
        main.rate.agree(on: agreed.format.bitrate)
        second?.rate.agree(on: agreed.format.bitrate)
        for session in sessions.values { session.media?.agree(on: agreed.format.bitrate, now: now) }
        wantRates(now)
        announceTerms(now)
        if isNews { outputs.append(.event(.agreed(agreed))) }
    }

    // MARK: Sessions

    private func connect(_ id: ConnectionID, _ address: String, route: PathID? = nil, _ now: Instant) {
        if sessions.count >= settings.viewerLimit {
            drops.count(.tooManyViewers)
            guard let weakest = weakest(of: sessions.values, for: address) else {
                return outputs.append(.close(id))
            }
            weakest.end(nil, close: true, now: now)
            drain(weakest, now)
        }
        let session = SourceSession(id, address: address, route: route, viewerSSRC: makeSSRC(), now: now)
        sessions[id] = session
        bySSRC[session.viewerSSRC] = session
    }

    /// Chooses a viewer that is not admitted yet to be evicted for a newcomer when the limit is reached; `nil` if none
    /// may be evicted.
    func weakest<Session: ViewerSession>(of sessions: some Sequence<Session>, for newcomer: String) -> Session? {
        let strangers = sessions.compactMap { session in
            session.progress.map {
                Stranger(id: session.id, origin: IPAddress(session.address)?.origin, progress: $0)
            }
        }
        let weakest = Stranger.toMakeRoom(in: strangers, for: IPAddress(newcomer)?.origin, isFull: true)?.id
        return sessions.first { $0.id == weakest }
    }

    /// The session of a native viewer or browser; `nil` once it has ended.
    func session(of viewer: ConnectionID) -> (any ViewerSession)? { sessions[viewer] ?? web.sessions[viewer] }

    /// Applies a change to the sessions of all viewers, and drains their outputs.
    private func updateViewers(_ now: Instant, _ change: (any ViewerSession) -> Void) {
        for viewer in sessions.keys + web.sessions.keys { update(viewer, now, change) }
    }

    /// Applies a change to the session of a native viewer or browser, and drains its outputs.
    func update(_ viewer: ConnectionID, _ now: Instant, _ change: (any ViewerSession) -> Void) {
        if let session = sessions[viewer] {
            change(session)
            drain(session, now)
        } else if let session = web.sessions[viewer] {
            change(session)
            drain(session, now)
        }
    }

    func session(of viewer: SSRC) -> SourceSession? { bySSRC[viewer] }

    /// The session of the viewer whose SSRC a report or voice packet carries; `nil` if there is none.
    private func viewer(of datagram: [UInt8]) -> SourceSession? {
        let bytes = datagram.span.bytes
        return bytes.uint32(at: RTCPPacket.isRTCP(bytes) ? 4 : 8).flatMap { bySSRC[SSRC($0)] }
    }

    /// Packetizes a slice once for all viewers with the same packet size, and sends it to each.
    private func send(_ slice: EncodedSlice, _ now: Instant) {
        var cut: PacketizedSlice?
        func packets(_ limits: PacketizedSlice.Limits) -> PacketizedSlice {
            if let cut, cut.limits == limits { return cut }
            let packets = PacketizedSlice(slice, codec: format.codec, limits: limits)
            cut = packets
            return packets
        }
        for session in sessions.values
        where session.state == .playing && encoding(of: session.id) == slice.encoding {
            guard let media = session.media else { continue }
            media.send(packets(media.largestPayload), now: now)
            drain(media, of: session.id, now)
        }
        guard format.codec == .h264 else { return }
        for session in web.sessions.values
        where encoding(of: session.id) == slice.encoding && session.takes(slice, now: now) {
            guard let limits = session.largestPayload else { continue }
            session.send(packets(limits), now: now)
            outputs.append(.web(session.id, .peer(.run)))
        }
    }

    /// Drains the outputs of a viewer's media; sending a slice causes no other outputs.
    func drain(_ media: SourceMedia, of viewer: ConnectionID, _ now: Instant) {
        while let packet = media.pollDatagram() { outputs.append(.media(packet.bytes, to: packet.path)) }
        if media.hasVoice { passOnVoice(media, of: viewer) }
        if media.transport == .tcp, let session = sessions[viewer] {
            session.carryMedia()
            execute(session, now)
        }
        // The bitrate is set before pictures are requested, so that they are encoded at that bitrate.
        if media.pollNewBitrate() { suggest(now) }
        drainRequests(media, of: viewer, now)
    }

    /// Passes a viewer's picture requests to the encoding that the viewer is sent.
    func drainRequests(_ media: SourceMedia, of viewer: ConnectionID, _ now: Instant) {
        if let wish = media.pollRepairNeed(now: now) { ask(wish, of: encoding(of: viewer), now) }
        if let wish = media.pollKeyframeNeed(now: now) { ask(wish, of: encoding(of: viewer), now) }
    }

    /// Handles a session's outputs. To be called after every call to the session.
    func drain(_ session: SourceSession, _ now: Instant) {
        repeat {
            if session.pollNewNeeds() { tellNeeds() }
            if let media = session.media { drain(media, of: session.id, now) }
            execute(session, now)
        } while announceNext(to: session, now)
        guard session.state == .ended, sessions.removeValue(forKey: session.id) != nil else { return }
        bySSRC[session.viewerSSRC] = nil
        earlierDrops.add(session)
        // A session that has ended during the drain has no needs any more.
        if session.pollNewNeeds() { tellNeeds() }
        hasLeft(session.viewer, carried: session.media?.carriedBitrate, wasMeasured: session.media != nil, now)
    }

    /// Executes a session's demands until there are none: a message may overflow the connection's send buffer, which
    /// ends the session and adds demands. Demands that a nested call adds are executed by that call.
    func execute(_ session: SourceSession, _ now: Instant) {
        while case let demands = session.pollDemands(), !demands.isEmpty {
            for demand in demands {
                switch demand {
                case .send(let bytes):
                    session.willWrite(bytes.count, host: self, now: now)
                    outputs.append(.send(session.id, bytes))
                case .close: outputs.append(.close(session.id))
                case .viewer(let demand): execute(demand, of: session.id, now)
                }
            }
        }
    }

    /// Executes a demand of a native viewer or browser.
    func execute(_ demand: HostViewer.Demand, of viewer: ConnectionID, _ now: Instant) {
        switch demand {
        case .control(let input): outputs.append(.control(input))
        case .event(let event): outputs.append(.event(event))
        case .usedLink: outputs.append(.event(.linkReplaced(secret: desk.secret)))
        case .transfer(let demand): take(demand, of: viewer, now)
        }
    }

    /// Updates the agreement, the bitrates and the pairing desk after a viewer's session was removed.
    ///
    /// - Parameters:
    ///   - carried: the bitrate that the path to the viewer carried; `nil` if it was never measured.
    ///   - wasMeasured: true if the estimate of the viewer's path has limited the encoders' bitrates.
    func hasLeft(_ viewer: HostViewer, carried: Bitrate?, wasMeasured: Bool, _ now: Instant) {
        if viewer.hasTransfer { take(.closed, of: viewer.id, now) }
        if let carried, let address = viewer.rememberedAddress { paths.note(carried, to: address, now: now) }
        if viewer.capabilities != nil, let agreed = agree() { adopt(agreed, now) }
        // The viewer that left may have been the slowest.
        if wasMeasured { suggest(now) }
        if pairing.release(viewer.id) { outputs.append(.event(.pairingOver(viewer.id))) }
    }

    /// Outputs whether anybody is watching, if that has changed. Called before viewers' requests are passed to an
    /// encoder.
    func tellWatched() {
        let watched =
            sessions.values.contains { $0.state == .playing } || web.sessions.values.contains(where: \.wantsPicture)
        if watched != isWatched {
            isWatched = watched
            outputs.append(.event(.watched(watched)))
        }
    }

    func announceTerms(_ now: Instant) {
        for session in sessions.values {
            session.announce(terms(for: session))
            execute(session, now)
        }
    }

    // MARK: Statistics

    /// The numbers of objects held for viewers, by name. They are bounded, and zero once all viewers have left.
    package var held: [String: Int] {
        [
            "sessions": sessions.count, "web": web.sessions.count, "web-leaving": web.leaving.count,
            "streams": bySSRC.count,
            "media": sessions.values.count { $0.media != nil },
            "file-viewers": allowances.count,
            "pairings": pairing.isBusy ? 1 : 0,
        ]
    }

    /// The number of bytes of clipboard content in memory.
    package var clipboardBytes: Int { clipboard.bufferedBytes }

    package struct Statistics: Sendable {
        /// The format that is encoded now.
        package var format: VideoFormat
        /// The bitrate that is encoded now.
        package var bitrate: Bitrate
        /// The bitrate that the viewers have agreed on, or the configured bitrate without an agreement. It limits
        /// `bitrate`.
        package var agreedBitrate: Bitrate
        /// The format and bitrate of the second encoding; `nil` if there is none.
        package var second: (format: VideoFormat, bitrate: Bitrate)?
        /// The watching viewers, in the order in which they joined.
        package var viewers: [Viewer] = []
        /// Statistics of clipboard sharing, summed over all viewers.
        package var clipboard = ClipboardStatistics()
        /// Counts of drops and refusals, by name.
        package var drops: [String: Int] = [:]

        package struct Viewer: Sendable {
            package var id: ConnectionID
            package var address: String
            /// The name of the viewer's paired device; `nil` if it is not paired.
            package var device: String?
            /// The viewer's human-readable name (`HostViewer.name`); `nil` if it has none.
            package var name: String?
            /// True for a browser, false for a native viewer.
            package var isWeb = false
            /// True if the viewer is permitted to drive.
            package var mayDrive: Bool
            /// The viewer's SSRC, by which `HostControl` identifies it; `nil` for a browser, identified by its
            /// connection.
            package var ssrc: SSRC?
            /// The virtual path of the viewer's datagrams if it came through a tunnel.
            package var route: PathID?
            /// True if the viewer drives now; set by the caller, as only `HostControl` knows it.
            package var drives = false
            /// True if the viewer has paused its media.
            package var isPaused: Bool
            /// The transport of the viewer's media; `nil` for a browser, whose peer connection chooses its own.
            package var transport: StreamTransport?
            package var framesSent: Int
            package var packetsSent = 0
            package var bytesSent = 0
            /// Statistics of the picture's stream; `nil` for a browser that has none yet.
            package var stream: OutboundStatistics?
            /// The share of packets lost, by the viewer's last report, 0...1.
            package var loss: Double?
            /// The bitrate that the viewer's path is estimated to carry; for a native viewer without the shares of
            /// sound and repair, and at most the agreed bitrate. It is `nil` if there is no estimate.
            package var suggestedBitrate: Bitrate?
            /// The encoding that the viewer is sent.
            package var encoding = EncodingID.main
            /// True if the viewer gets only occasional pictures, as its path is far slower than the others'.
            package var isOnRefresh = false
            /// The sounds that the viewer is sent, at most one for each origin.
            package var sound: [SentSound] = []
            /// Statistics of the viewer's voice; `nil` if no voice is set up.
            package var voice: SinkStatistics.Sound?
            /// Statistics of a page that decodes the picture itself; `nil` for all other viewers.
            package var ownPicture: OwnPicture?

            package struct OwnPicture: Sendable, Hashable {
                /// True if the page decodes repair pictures.
                package var repairs: Bool
                /// The number of losses that the page has reported.
                package var losses: Int
                /// The median time from a frame's arrival at the page to its drawing, by the page's last report; `nil`
                /// before its first.
                package var drawDelay: Duration?
            }

            init(
                _ viewer: HostViewer, mayDrive: Bool, isPaused: Bool, framesSent: Int, encoding: EncodingID
            ) {
                id = viewer.id
                address = viewer.address
                device = viewer.device?.name
                name = viewer.name
                route = viewer.route
                self.mayDrive = mayDrive
                self.isPaused = isPaused
                self.framesSent = framesSent
                self.encoding = encoding
            }
        }
    }

    package var statistics: Statistics {
        var all = Statistics(
            format: format, bitrate: main.rate.current, agreedBitrate: agreedBitrate,
            second: second.map { ($0.format, $0.rate.current) }, clipboard: clipboard.statistics, drops: allDrops)
        for session in sessions.values where session.state == .playing || session.state == .paused {
            guard let media = session.media else { continue }
            var viewer = Statistics.Viewer(
                session.viewer, mayDrive: mayDrive(session), isPaused: session.state == .paused,
                framesSent: media.statistics.frames, encoding: encoding(of: session.id))
            viewer.ssrc = session.viewerSSRC
            viewer.transport = media.transport
            viewer.packetsSent = media.packetsSent
            viewer.bytesSent = media.bytesSent
            viewer.stream = media.statistics
            viewer.loss = media.loss
            viewer.suggestedBitrate = media.targetBitrate
            viewer.isOnRefresh = media.isOnRefresh
            viewer.sound = media.sentSound
            viewer.voice = media.voiceStatistics
            all.viewers.append(viewer)
        }
        addWeb(to: &all)
        return all
    }

    package var allDrops: [String: Int] {
        .sum(
            earlierDrops, drops, desk.refusals.named("refused-"), pairing.refusals, sessions.values.allDrops, web.drops,
            web.sessions.values.allDrops, clipboard.statistics.drops)
    }
}
