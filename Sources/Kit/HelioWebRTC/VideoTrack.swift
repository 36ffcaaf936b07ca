public import HelioCore
internal import HelioPeer
internal import HelioPeerPort
private import HelioRTP
private import HelioSDP

/// A video track that is sent to the peer.
public final class VideoTrack: Sendable {
    /// The agreed format of a track.
    public struct Format: Sendable, Hashable {
        /// The highest `profile-level-id` of H.264 (RFC 6184 section 8.1) that the peer accepts: `42E034`, for example.
        public var profileLevelID: String
    }

    let number: Int
    private let link: PeerLink

    init(number: Int, link: PeerLink) {
        self.number = number
        self.link = link
    }

    /// Sends one picture. If the path is too slow, pictures that have waited too long are dropped, and the event
    /// `keyframeNeeded` follows.
    ///
    /// - Parameters:
    ///   - frame: an access unit of H.264. Its time is on a clock with an origin of the app's choosing; all tracks of
    ///     one stream share one clock, by which peers synchronise them.
    ///   - quarterTurns: the number of clockwise quarter turns, 0 to 3, that the peer applies to show the picture, as
    ///     browsers do.
    public func send(_ frame: EncodedFrame, quarterTurns: Int = 0) async {
        await link.update { [self] engine, now in
            guard let id = engine.transceiver(numbered: number) else { return engine.dropUnsent() }
            engine.turn(id, by: quarterTurns)
            let captured = link.captured(frame.presentationTime, on: id, of: engine, now: now)
            engine.send(frame.slice(link.nextFrame()), codec: .h264, captured: captured, on: id, now: now)
        }
    }

    /// Returns the agreed format; `nil` before the agreement, and if the peer rejects the track.
    public func format() async -> Format? {
        await link.read(orElse: nil) { [self] engine -> Format? in
            guard let id = engine.transceiver(numbered: number), let media = engine.agreement?.media(id),
                media.direction.sends,
                let agreed = media.codecs.first?.h264
            else { return nil }
            return Format(profileLevelID: H264ProfileLevel(agreed.profile, agreed.sendLevel).text)
        }
    }

    /// Stops the track; the next offer announces the stop to the peer.
    public func stop() async {
        _ = try? await link.run { [self] engine, now in
            if let id = engine.transceiver(numbered: number) { try engine.stop(id, now: now) }
        }
    }

    /// Sends a picture on many tracks. The picture is packetized once, and encrypted for each track.
    static func broadcast(
        _ frame: EncodedFrame, quarterTurns: Int, to tracks: [VideoTrack], by sockets: PeerPort
    ) async {
        guard let first = tracks.first else { return }
        await sockets.run {
            var least: Int?
            for track in tracks {
                track.link.onLoop { engine, _ in
                    guard let id = engine.transceiver(numbered: track.number),
                        let size = engine.media?.largestPayload(on: id)
                    else { return }
                    least = min(least ?? size, size)
                }
            }
            guard let least else { return }
            let slice = PacketizedSlice(frame.slice(first.link.nextFrame()), codec: .h264, largestPayload: least)
            for track in tracks {
                track.link.onLoop { engine, now in
                    guard let id = engine.transceiver(numbered: track.number) else { return }
                    engine.turn(id, by: quarterTurns)
                    let captured = track.link.captured(frame.presentationTime, on: id, of: engine, now: now)
                    engine.send(slice, captured: captured, on: id, now: now)
                }
            }
        }
    }
}

extension PeerEngine {
    fileprivate func turn(_ id: Transceiver.ID, by quarterTurns: Int) {
        media?.turn(VideoOrientation(quarterTurns: UInt8(truncatingIfNeeded: quarterTurns)), on: id)
    }
}

extension EncodedFrame {
    fileprivate func slice(_ index: UInt64) -> EncodedSlice {
        let taken = Instant.zero + presentationTime
        return EncodedSlice(
            frameIndex: index, annexB: annexB, isFirst: true, isLast: true, isKeyframe: isKeyframe,
            timing: FrameTiming(damaged: taken, captured: taken))
    }
}
