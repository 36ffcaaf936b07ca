import HelioCore
import HelioRTP

/// What is noted of one flow while it runs.
final class LabMeter {
    /// A picture that was shown: as soon as all of it was there.
    struct Picture {
        let at: Instant
        let captured: Instant
    }

    /// A time in which the picture shown was too old.
    struct Freeze {
        /// Since when the screen has been another.
        let outdated: Instant
        /// From when on that was too long ago, until a newer picture came.
        let from: Instant
        var to: Instant
    }

    /// The length of time for which rates are summed up.
    static let slot = Duration.milliseconds(50)
    /// The age at which a picture counts as frozen, where the screen has changed since.
    static let patience = Duration.milliseconds(200)

    let start: Instant
    let end: Instant
    /// The bits given to the path, of media and all else, by slot.
    private(set) var sent: [Int]
    /// The bits of media that came, each packet once, and of parity, by slot.
    private(set) var delivered: [Int]
    /// The rate last asked of the encoder in each slot, in bits a second.
    private(set) var targets: [Int]
    private(set) var codedBits = 0
    private(set) var keyframes = 0
    /// The repair pictures coded.
    private(set) var repairPictures = 0
    /// The bits of keyframes and repair pictures.
    private(set) var entryBits = 0
    /// The quantisers of all pictures coded.
    private(set) var quantisers: [Double] = []
    /// The instants at which the screen became another, in order.
    private(set) var changes: [Instant] = []
    private(set) var pictures: [Picture] = []

    private let media: SSRC
    private let parity: SSRC
    private var extender = SequenceExtender()
    private var seen: Set<UInt64> = []
    private var lowest: UInt64?
    private var repairs = 0

    /// - Parameters:
    ///   - media: the SSRC of the first transmissions; all else that is RTP repairs them.
    ///   - parity: the SSRC of what restores them.
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

    /// Notes a datagram that came. Of RTP, only the header is readable.
    func arrived(_ datagram: [UInt8], now: Instant) {
        let bytes = datagram.span.bytes
        guard !RTCPPacket.isRTCP(bytes), let header = RTPHeader.parse(bytes) else { return }
        if header.ssrc == media {
            let sequence = extender.extended(header.sequence)
            extender.accept(sequence)
            lowest = min(lowest ?? sequence.rawValue, sequence.rawValue)
            guard seen.insert(sequence.rawValue).inserted else { return }
        } else if header.ssrc != parity, !header.hasPadding {
            // What it repeats is encrypted. More than what is missing is no repair, but fills a probe of the path.
            guard let lowest, let highest = extender.highest?.rawValue,
                seen.count + repairs < Int(highest - lowest) + 1
            else { return }
            repairs += 1
        }
        // With padding, it only says that nothing is missing, or how much would pass.
        if !header.hasPadding { delivered[place(now)] += datagram.count * 8 }
    }

    func shown(_ frame: ReceivedFrame, now: Instant) {
        guard let captured = frame.sourceTiming?.captured else { return }
        pictures.append(Picture(at: now, captured: captured))
    }

    // MARK: Afterwards

    /// The time from the flow's beginning to its first picture; `nil` where none came.
    var firstPicture: Duration? { pictures.first.map { $0.at - start } }

    /// The times in which the picture shown was too old, from the first picture on.
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
                // A newer picture came, and was too old as well.
                all[all.count - 1].to = until
            } else {
                all.append(Freeze(outdated: changes[next], from: from, to: until))
            }
        }
        return all
    }

    /// The share of the time from the first picture on in which the picture shown was too old.
    var frozenShare: Double {
        guard let first = pictures.first, first.at < end else { return 1 }
        let frozen = freezes.reduce(Duration.zero) { $0 + ($1.to - $1.from) }
        return frozen.inSeconds / (end - first.at).inSeconds
    }

    /// The times from a change of the screen to the picture that shows it, in milliseconds and rising order; without
    /// the changes before the first picture, of which the viewer knew nothing.
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
        // What was never shown is at least as late as this; in the last moment it can't be expected.
        for change in changes[next...] where change > first.at && end - change > .seconds(1) {
            delays.append((end - change).milliseconds)
        }
        return delays.sorted()
    }

    /// The times from capturing a picture to having all of it, in milliseconds and rising order; without the first.
    var pictureDelays: [Double] { pictures.dropFirst().map { ($0.at - $0.captured).milliseconds }.sorted() }
}
