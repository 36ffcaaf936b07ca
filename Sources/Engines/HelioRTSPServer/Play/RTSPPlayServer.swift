package import HelioAdmission
package import HelioCore
package import HelioMedia
import HelioPlainRTP
package import HelioProtection
package import HelioRTP
import HelioRTSP

/// The engine of an RTSP server from which other programs play, with all connections and one encoded stream for all.
///
/// Players can't control the host. The stream is unencrypted RTP, so the server should only be used on loopback, or
/// with credentials on a trusted network.
package final class RTSPPlayServer: Audience, DropCounting, RTSPServerEngine {
    package struct Settings: Sendable {
        /// The format of the video; the size may change while running.
        package var format: VideoFormat
        /// The encoder settings of the sound; `nil` for no sound.
        package var sound: SoundEncode?
        package var soundOrigin: SoundOrigin
        /// The credentials; `nil` admits every connection.
        package var credentials: ServerCredentials?
        /// The offset from an `Instant` to NTP time (since 1900), for sender reports.
        package var clockOffset: Duration
        package var connectionLimit: Int

        package init(
            format: VideoFormat, sound: SoundEncode? = nil, soundOrigin: SoundOrigin = .system,
            credentials: ServerCredentials?, clockOffset: Duration, connectionLimit: Int = 32
        ) {
            self.format = format
            self.sound = sound
            self.soundOrigin = soundOrigin
            self.credentials = credentials
            self.clockOffset = clockOffset
            self.connectionLimit = connectionLimit
        }
    }

    package enum Input: RTSPServerInput, AudienceInput {
        case connected(ConnectionID, address: String)
        case received(ConnectionID, [UInt8])
        case disconnected(ConnectionID)
        /// The number of bytes of a connection that the kernel has newly accepted.
        case written(ConnectionID, Int)
        /// A datagram on the RTCP port.
        case reports([UInt8])
        case slice(EncodedSlice)
        case sound(EncodedSound)
        case format(VideoFormat)

        package static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self { .format(format) }

        /// Makes an input from an RTCP datagram; `nil` for the RTP port, to which players send only dummy datagrams to
        /// open a NAT binding. The track is not used, as reports contain the SSRC.
        package static func datagram(
            _ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool
        ) -> Self? { channel == .rtcp ? .reports(bytes) : nil }
    }

    package enum Event: Sendable, ServerEvent {
        case refused(address: String, reason: String)
        case joined(address: String)
        case left(address: String, reason: String)
        /// True if any player receives video or waits for the stream's description, so that capture has to run.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen is idle, and its last picture has to be encoded again: players show a picture only when the next
        /// one arrives.
        case frameNeeded
        /// The new demand for sound by origin; no sound is needed from other origins.
        case soundWanted([SoundOrigin: SoundDemand])
    }

    let server: ServerState
    let soundEncode: SoundEncode?
    private let soundOrigin: SoundOrigin
    private var soundWanted: [SoundOrigin: SoundDemand] = [:]
    private let clockOffset: Duration
    private let sessions: ServerSessions<PlaySession>
    private var format: VideoFormat
    private var sets: ParameterSets?
    private var isWatched = false
    private var demand: PictureDemand

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        server = ServerState(of: "player", credentials: settings.credentials, crypto: crypto, random: random)
        sessions = ServerSessions(server, limit: settings.connectionLimit)
        clockOffset = settings.clockOffset
        format = settings.format
        soundEncode = settings.sound
        soundOrigin = settings.soundOrigin
        demand = PictureDemand(now: now)
    }

    package func setMediaPort(_ port: UInt16) { server.mediaPort = port }
    package func knows(_ connection: ConnectionID) -> Bool { sessions.knows(connection) }
    package func progress(of connection: ConnectionID) -> Stranger.Progress? { sessions.progress(of: connection) }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected(let id, let address):
            sessions.connect(id, now: now) { PlaySession(id, address: address, host: self, now: now) }
        case .received(let id, let bytes): sessions.handle(bytes, on: id, now: now)
        case .disconnected(let id): sessions.disconnect(id, "connection closed", now: now)
        case .written(let id, let count): sessions.wrote(count, on: id, now: now)
        case .reports(let bytes): handle(bytes, now)
        case .slice(let slice): send(slice, now)
        case .sound(let sound): send(sound, now)
        case .format(let new): change(new, now)
        }
        demandPictures(now)
    }

    package func tick(now: Instant) {
        sessions.tick(now: now)
        demandPictures(now)
    }

    package func poll() -> RTSPServerOutput<Event>? { sessions.poll() }

    package var deadline: Deadline? {
        .earliest(sessions.deadline, demand.deadline(wantsKeyframe: wantsKeyframe, isShown: isPlayed))
    }

    /// Ends every player's session with BYE, and closes the connections.
    package func stop(now: Instant) { sessions.stop("sharing ended", now: now) }

    // MARK: Interface for sessions

    /// The stream's SDP; `nil` before the first keyframe.
    func description(id: ConnectionID) -> [UInt8]? {
        sets.map { PlayerDescription.make(format, $0, sound: soundEncode, id: id.rawValue) }
    }

    func makeSound() -> PlainSoundSource? {
        soundEncode.map {
            PlainSoundSource($0, as: PlayerDescription.soundType, ssrc: makeSSRC(), clockOffset: clockOffset)
        }
    }

    func makeMedia(_ transport: PlainTransport) -> PlainSource {
        PlainSource(
            format, as: PlayerDescription.payloadType, ssrc: makeSSRC(), isPaced: transport.isDatagrams,
            clockOffset: clockOffset)
    }

    private func makeSSRC() -> SSRC {
        while true {
            let ssrc = SSRC(.random(in: 1 ... .max, using: &server.random))
            if !sessions.all.contains(where: { $0.media?.ssrc == ssrc || $0.sound?.ssrc == ssrc }) { return ssrc }
        }
    }

    // MARK: Implementation

    private func handle(_ datagram: [UInt8], _ now: Instant) {
        guard RTCPPacket.isRTCP(datagram.span.bytes), let packets = RTCPPacket.parseCompound(datagram.span.bytes),
            sessions.all.contains(where: { $0.handle(packets, now: now) })
        else { return server.drops.count(.unknownReports) }
    }

    private func send(_ slice: EncodedSlice, _ now: Instant) {
        demand.heard(slice, now: now)
        if slice.isFirst, slice.isKeyframe, let new = ParameterSets(annexB: slice.annexB, codec: format.codec) {
            sets = new
            sessions.call(sessions.all.filter(\.keepsRequest), now: now) { $0.streamIsKnown(now: now) }
        }
        for session in sessions.all where session.state == .playing {
            session.send(slice, now: now)
            sessions.settle(session, now: now)
        }
    }

    private func send(_ sound: EncodedSound, _ now: Instant) {
        guard sound.origin == soundOrigin, sound.encode == soundEncode else { return }
        for session in sessions.all where session.state == .playing && session.sound != nil {
            session.send(sound, now: now)
            sessions.settle(session, now: now)
        }
    }

    private func change(_ new: VideoFormat, _ now: Instant) {
        let old = format
        format = new
        // The next keyframe contains new parameter sets.
        if new.size != old.size || new.chroma != old.chroma || new.codec != old.codec { sets = nil }
        // RTSP 1.0 can't signal a codec change, so end the sessions; players have to connect again.
        guard new.codec != old.codec else { return }
        sessions.call(sessions.all.filter { $0.media != nil }, now: now) {
            $0.end("the codec has changed", closes: true, now: now)
        }
    }

    private var isPlayed: Bool { sessions.all.contains(where: \.isWatching) }
    private var wantsKeyframe: Bool { sessions.all.contains(where: \.wantsKeyframe) }

    /// Reports a change of `watched`, and requests keyframes, repeated frames and sound.
    private func demandPictures(_ now: Instant) {
        let watched = isPlayed || sessions.all.contains(where: \.keepsRequest)
        if watched != isWatched {
            isWatched = watched
            demand.begin(now: now)
            sessions.emit(.watched(watched))
        }
        if wantsKeyframe, demand.takesKeyframeDemand(now: now) {
            sessions.emit(.keyframeNeeded(reason: "a player needs one"))
        }
        if isPlayed, demand.takesFrameDemand(now: now) { sessions.emit(.frameNeeded) }
        demandSound()
    }

    /// Reports a change of the demand for sound.
    private func demandSound() {
        guard let soundEncode else { return }
        let listeners = sessions.all.filter { $0.state == .playing }.compactMap(\.sound)
        var wanted: [SoundOrigin: SoundDemand] = [:]
        if !listeners.isEmpty {
            let loss = listeners.map(\.lossShare).max() ?? 0
            wanted[soundOrigin] = SoundDemand(encodes: [soundEncode], lossShare: loss, takesSilence: true)
        }
        guard wanted != soundWanted else { return }
        soundWanted = wanted
        sessions.emit(.soundWanted(wanted))
    }

    // MARK: Statistics

    package struct Statistics: DropReporting, Sendable {
        /// The addresses of the players in state `playing`.
        package var addresses: [String] = []
        /// The media sent to the present players.
        package var sent = SentMedia()
        /// The number of drops by reason.
        package var drops: [String: Int] = [:]
    }

    package var statistics: Statistics {
        var statistics = Statistics()
        statistics.drops = allDrops
        for session in sessions.all {
            if session.state == .playing { statistics.addresses.append(session.connection.address) }
            statistics.sent.add(session.media, session.sound)
        }
        return statistics
    }

    package var allDrops: [String: Int] { .sum(server, sessions.all.allDrops.named("player-")) }
}
