import HelioCore
import HelioRTP

/// The measurements of one flow during a run.
final class LabMeter {
    /// A picture that was shown, at the time when it was complete.
    struct Picture {
        let at: Instant
        let captured: Instant
    }

    /// An interval in which the shown picture was too old.
    struct Freeze {
        /// The time of the first screen change that was not shown.
        let outdated: Instant
        /// The time when that change was `patience` old; the freeze lasts until `to`, when a newer picture arrived.
        let from: Instant
        var to: Instant
    }

    /// The length of the slots in which bits are summed up.
    static let slot = Duration.milliseconds(50)
    /// The age at which an outdated picture counts as frozen.
    static let patience = Duration.milliseconds(200)

    let start: Instant
    let end: Instant
    /// The bits sent into the path by slot, media and everything else.
    private(set) var sent: [Int]
    /// The received bits of media, each packet counted once, and of parity, by slot.
    private(set) var delivered: [Int]
    /// The last target bitrate of the encoder in each slot, in bits per second.
    private(set) var targets: [Int]
    private(set) var codedBits = 0
    private(set) var keyframes = 0
    /// The number of encoded repair pictures.
    private(set) var repairPictures = 0
    /// The bits of keyframes and repair pictures.
    private(set) var entryBits = 0
    /// The quantisers of all encoded pictures.
    private(set) var quantisers: [Double] = []
    /// The times of the screen's changes, in order.
    private(set) var changes: [Instant] = []
    private(set) var pictures: [Picture] = []

    private let media: SSRC
    private let parity: SSRC
    private var extender = SequenceExtender()
    private var seen: Set<UInt64> = []
    private var lowest: UInt64?
    private var repairs = 0

    /// - Parameters:
    ///   - media: the SSRC of the original packets; all other RTP packets repair them.
    ///   - parity: the SSRC of the parity packets.
    init(start: Instant, end: Instant, media: SSRC, parity: SSRC) {
        self.start = start
        self.end = end
        self.media = media
        self.parity = parity
        let count = Int(end.nanoseconds / Self.slot.nanoseconds) + 1
        sent = Array(repeating: 0, count: count)
        delivered = sent
        targets = sent
    }

    private func place(_ now: Instant) -> Int { min(sent.count - 1, Int(now.nanoseconds / Self.slot.nanoseconds)) }

    // MARK: The source

    func changed(at now: Instant) { changes.append(now) }

    func asked(_ rate: Bitrate, now: Instant) { targets[place(now)] = rate.bitsPerSecond }

    func coded(_ slice: EncodedSlice, quantiser: Double) {
        codedBits += slice.annexB.count * 8
        quantisers.append(quantiser)
        if slice.isKeyframe { keyframes += 1 }
        if slice.repairsSince != nil { repairPictures += 1 }
        if slice.isKeyframe || slice.repairsSince != nil { entryBits += slice.annexB.count * 8 }
    }

    func gave(bytes: Int, now: Instant) { sent[place(now)] += bytes * 8 }

    // MARK: The viewer

    /// Records a received datagram. Only the header of RTP packets is readable.
    func arrived(_ datagram: [UInt8], now: Instant) {
        let bytes = datagram.span.bytes
        guard !RTCPPacket.isRTCP(bytes), let header = RTPHeader.parse(bytes) else { return }
        if header.ssrc == media {
            let sequence = extender.extended(header.sequence)
            extender.accept(sequence)
            lowest = min(lowest ?? sequence.rawValue, sequence.rawValue)
            guard seen.insert(sequence.rawValue).inserted else { return }
        } else if header.ssrc != parity, !header.hasPadding {
            // The original packet's number is encrypted. Repair packets in excess of the missing ones are padding of
            // probes.
            guard let lowest, let highest = extender.highest?.rawValue,
                seen.count + repairs < Int(highest - lowest) + 1
            else { return }
            repairs += 1
        }
        // A packet with padding is only a report or a probe.
        if !header.hasPadding { delivered[place(now)] += datagram.count * 8 }
    }

    func shown(_ frame: ReceivedFrame, now: Instant) {
        guard let captured = frame.sourceTiming?.captured else { return }
        pictures.append(Picture(at: now, captured: captured))
    }

    // MARK: Afterwards

    /// The time from the flow's start to its first picture; `nil` if there was none.
    var firstPicture: Duration? { pictures.first.map { $0.at - start } }

    /// The freezes, from the first picture on.
    var freezes: [Freeze] {
        var all: [Freeze] = []
        var next = 0
        var newest = Instant.zero
        for (index, picture) in pictures.enumerated() {
            newest = max(newest, picture.captured)
            while next < changes.count, changes[next] <= newest { next += 1 }
            guard next < changes.count else { break }
            let until = index + 1 < pictures.count ? pictures[index + 1].at : end
            let from = max(picture.at, changes[next] + Self.patience)
            guard from < until else { continue }
            if let last = all.last, last.to == from {
                // A newer picture arrived, but was too old as well.
                all[all.count - 1].to = until
            } else {
                all.append(Freeze(outdated: changes[next], from: from, to: until))
            }
        }
        return all
    }

    /// The share of the time since the first picture in which the picture was frozen.
    var frozenShare: Double {
        guard let first = pictures.first, first.at < end else { return 1 }
        let frozen = freezes.reduce(Duration.zero) { $0 + ($1.to - $1.from) }
        return frozen.inSeconds / (end - first.at).inSeconds
    }

    /// The times from a change of the screen to the picture that shows it, in milliseconds and ascending order; without
    /// changes before the first picture, of which the viewer didn't know.
    var changeDelays: [Double] {
        var delays: [Double] = []
        var next = 0
        guard let first = pictures.first else { return [] }
        for picture in pictures {
            while next < changes.count, changes[next] <= picture.captured {
                if changes[next] > first.at { delays.append((picture.at - changes[next]).milliseconds) }
                next += 1
            }
        }
        // A change that was never shown is at least this late; changes in the last second can't be expected.
        for change in changes[next...] where change > first.at && end - change > .seconds(1) {
            delays.append((end - change).milliseconds)
        }
        return delays.sorted()
    }

    /// The times from capturing a picture to receiving all of it, in milliseconds and ascending order, without the
    /// first.
    var pictureDelays: [Double] { pictures.dropFirst().map { ($0.at - $0.captured).milliseconds }.sorted() }
}
