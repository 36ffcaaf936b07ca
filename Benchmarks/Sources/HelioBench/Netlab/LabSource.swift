import DequeModule
import HelioCore
import HelioMedia
import HelioRTP
import HelioSession
import HelioSimulation

/// The sending end of a flow: a screen, an encoder that follows the sender's target, and the sender.
final class LabSource: SimulatedPeer {
    /// Whole microseconds, as frame timestamps have that resolution.
    private static let frameInterval = Duration.microseconds(16_667)
    /// The host's minimum interval of keyframes, which makes a storm of requests cheap.
    private static let keyframeSpacing = Duration.milliseconds(100)
    private static let lastResortSpacing = Duration.seconds(1)
    private static let repairSpacing = Duration.milliseconds(50)
    private static let mostKeyframes = 4
    private static let keyframeTime = Duration.seconds(2)

    private let media: SourceMedia
    private let meter: LabMeter
    private let ceiling: Bitrate
    private let viewer: PathID
    private var content: LabContent
    private var encoder: ModelEncoder
    private var random: SeededGenerator
    private var outbox = Deque<[UInt8]>()

    private var hasBegun = false
    private var nextFrame: Instant
    /// Whether the screen has changed since the last picture.
    private var hasChanged = false
    private var wantsKeyframe: KeyframeWish?
    /// The last frame that the viewer has received completely, if it has lost later ones.
    private var repairSince: UInt64?
    private var lastRepair: Instant?
    private let givesRepairs: Bool
    /// The times of the last keyframes, in order.
    private var keyframes: [Instant] = []

    init(
        _ media: SourceMedia, to viewer: PathID, content: LabContent, ceiling: Bitrate, givesRepairs: Bool,
        meter: LabMeter, random: inout SeededGenerator
    ) {
        self.media = media
        self.viewer = viewer
        self.content = content
        self.ceiling = ceiling
        self.givesRepairs = givesRepairs
        self.meter = meter
        encoder = ModelEncoder(seed: random.next())
        self.random = random.split()
        nextFrame = meter.start
    }

    /// The encoder's target bitrate, which is read only here.
    private func askRate() -> Bitrate {
        _ = media.pollNewBitrate()
        return min(ceiling, media.targetBitrate)
    }

    func receive(_ datagram: [UInt8], now: Instant) {
        media.handle(datagram, from: viewer, now: now, random: &random)
        drain(now)
    }

    func tick(now: Instant) {
        guard now >= meter.start else { return }
        if !hasBegun {
            hasBegun = true
            media.play(isFirst: true, now: now)
        }
        media.tick(now: now)
        drain(now)
        while nextFrame <= now {
            nextFrame = nextFrame + Self.frameInterval
            capture(now)
        }
    }

    func pollDatagram(now: Instant) -> [UInt8]? { outbox.popFirst() }

    var deadline: Deadline? {
        guard hasBegun else { return Deadline(at: meter.start, why: "a flow begins") }
        return .earliest(media.deadline, Deadline(at: nextFrame, why: "the screen is captured"))
    }

    /// Encodes the current screen, if it is worthwhile.
    private func capture(_ now: Instant) {
        if content.changes(at: now - meter.start) {
            hasChanged = true
            meter.changed(at: now)
        }
        let target = askRate()
        meter.asked(target, now: now)
        let isCostly = !givesRepairs || content.kind.repairBits == nil
        if let wish = wantsKeyframe, mayCodeKeyframe(wish, now) {
            encode(isKeyframe: true, target, now)
        } else if let since = repairSince, !keyframes.isEmpty, mayRepair(now), !isCostly || mayCodeKeyframe(nil, now) {
            lastRepair = now
            encode(isKeyframe: !givesRepairs, repairsSince: since, target, now)
        } else if hasChanged, !keyframes.isEmpty, encoder.credit(target: target, now: now) >= 0 {
            // While a larger picture is being paid off, others would only wait behind it: they are skipped.
            encode(isKeyframe: false, target, now)
        }
    }

    private func mayRepair(_ now: Instant) -> Bool { lastRepair.map { now - $0 >= Self.repairSpacing } ?? true }

    private func mayCodeKeyframe(_ wish: KeyframeWish?, _ now: Instant) -> Bool {
        guard let last = keyframes.last else { return true }
        let spacing = wish?.isLastResort == true ? Self.lastResortSpacing : Self.keyframeSpacing
        guard now - last >= spacing else { return false }
        return keyframes.count < Self.mostKeyframes || now - keyframes[0] >= Self.keyframeTime
    }

    private func encode(isKeyframe: Bool, repairsSince: UInt64? = nil, _ target: Bitrate, _ now: Instant) {
        hasChanged = false
        repairSince = nil
        let slice = encoder.encode(
            kind: content.kind, isKeyframe: isKeyframe, repairsSince: repairsSince, target: target, now: now)
        if slice.isKeyframe {
            wantsKeyframe = nil
            keyframes.append(now)
            if keyframes.count > Self.mostKeyframes { keyframes.removeFirst() }
        }
        meter.coded(slice, quantiser: encoder.lastQP)
        media.send(PacketizedSlice(slice, codec: .h264, limits: media.largestPayload), now: now)
        drain(now)
    }

    private func drain(_ now: Instant) {
        while let datagram = media.pollDatagram() { outbox.append(datagram.bytes) }
        if let wish = media.pollRepairNeed(now: now) { repairSince = min(repairSince ?? .max, wish.since) }
        if let wish = media.pollKeyframeNeed(now: now) { wantsKeyframe = wish }
    }
}
