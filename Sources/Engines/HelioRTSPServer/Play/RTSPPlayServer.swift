package import HelioAdmission
package import HelioCore
import HelioMedia
import HelioPlainRTP
package import HelioProtection
package import HelioRTP
import HelioRTSP

/// An RTSP server that other programs play from, as one engine: every connection, and one encoded stream for all.
///
/// A player can only watch. The stream is plain RTP: the server belongs on loopback, or behind credentials on a trusted
/// network.
package final class RTSPPlayServer: Audience, RTSPServerEngine {
    package struct Settings: Sendable {
        /// The format of the video sent; the size may change while running.
        package var format: VideoFormat
        /// The encode of the sound sent beside the video; `nil` for none.
        package var sound: SoundEncode?
        package var soundOrigin: SoundOrigin
        /// The credentials; `nil` admits every connection.
        package var credentials: ServerCredentials?
        /// The offset to be added to an instant to get NTP time, since 1900: for sender reports.
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
        /// The number of bytes sent on a connection that the system has taken.
        case written(ConnectionID, Int)
        /// A datagram on the RTCP port.
        case reports([UInt8])
        case slice(EncodedSlice)
        case sound(EncodedSound)
        case format(VideoFormat)

        package static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self { .format(format) }

        /// Makes an input of a datagram: reports name their stream themselves. On the RTP port, players only open a
        /// path through a NAT with a meaningless datagram.
        package static func datagram(
            _ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool
        ) -> Self? { channel == .rtcp ? .reports(bytes) : nil }
    }

    package enum Event: Sendable, ServerEvent {
        case refused(address: String, reason: String)
        case joined(address: String)
        case left(address: String, reason: String)
        /// Watching has begun, is about to begin, or has ended: capture runs only while there is a player.
        case watched(Bool)
        case keyframeNeeded(reason: String)
        /// The screen is idle. Players show a picture only when the next one comes, so it has to be encoded once more,
        /// unchanged.
        case frameNeeded
        /// The new demand for sound, by origin; origins that are not listed are not needed.
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
        server = ServerState(credentials: settings.credentials, crypto: crypto, random: random)
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

    /// Ends every player's session, with BYE.
    package func stop(now: Instant) { sessions.stop("sharing ended", now: now) }

    // MARK: Interface for sessions

    /// The stream's description as SDP; `nil` before the first keyframe.
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
        // New parameter sets come with the next keyframe.
        if new.size != old.size || new.chroma != old.chroma || new.codec != old.codec { sets = nil }
        // RTSP 1.0 can't signal a change of the codec: players have to request the stream again.
        guard new.codec != old.codec else { return }
        sessions.call(sessions.all.filter { $0.media != nil }, now: now) {
            $0.end("the codec has changed", closes: true, now: now)
        }
    }

    private var isPlayed: Bool { sessions.all.contains(where: \.isWatching) }
    private var wantsKeyframe: Bool { sessions.all.contains(where: \.wantsKeyframe) }

    /// Reports whether there are players, and requests keyframes and repeated frames from the encoder.
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
        package var players = 0
        /// The addresses of the players in state `playing`.
        package var addresses: [String] = []
        package var framesSent = 0
        package var soundPacketsSent = 0
        package var packetsSent = 0
        package var bytesSent = 0
        /// Counts of what was dropped, by reason.
        package var drops: [String: Int] = [:]
    }

    package var statistics: Statistics {
        var statistics = Statistics()
        server.addDrops(as: "player", to: &statistics.drops)
        for session in sessions.all {
            if session.state == .playing {
                statistics.players += 1
                statistics.addresses.append(session.connection.address)
            }
            if let sound = session.sound {
                statistics.soundPacketsSent += sound.packetsSent
                statistics.packetsSent += sound.packetsSent
                statistics.bytesSent += sound.bytesSent
                statistics.drops.add(sound.drops, as: "player-")
            }
            guard let media = session.media else { continue }
            statistics.framesSent += media.framesSent
            statistics.packetsSent += media.packetsSent
            statistics.bytesSent += media.bytesSent
            statistics.drops.add(media.drops, as: "player-")
        }
        return statistics
    }
}
