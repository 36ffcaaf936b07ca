internal import DequeModule

/// Estimates from the arrivals of audio packets how long playout has to wait for them.
///
/// A packet's transit is its arrival time minus its media time, in seconds. Only differences of transits have a
/// meaning, as the clocks differ. The least transit is that without queueing. `required`, the transit that playout
/// allows for, is the larger of two values:
///
/// - the transit that 97 % of the moments (20 ms each) of the last five seconds don't exceed. It rises within a fifth
///   of a second when packets begin to arrive unevenly, but a single stall, after which all packets arrive at once, is
///   only one moment;
/// - the second highest transit of the last minute, at most `mostPeak` above the least, so that no more than about one
///   packet per minute is late.
///
/// `required` rises at once and falls slowly. Older values are corrected for the drift between the two clocks.
struct SoundArrivals: Sendable {
    private struct Slot {
        var time: Double
        var least: Double
        var most: Double
    }

    private static let momentLength = 0.02
    private static let momentCount = 250
    private static let slotLength = 2.0
    private static let slotCount = 30
    private static let mostPeak = 0.12
    private static let margin = 0.001
    /// The speed at which `required` falls: `least` seconds per second, plus the share `part` of its excess per second.
    private static let fall = (least: 0.02, part: 0.5)
    /// The excess over the least transit, in seconds, that shows a new route if it lasts a second.
    private static let otherWay = 0.1
    private static let mostDrift = 500e-6
    /// The change of the least transit between slots, in seconds, that shows a new route: drift changes it by at most 2
    /// ms.
    private static let step = 0.01

    private let least: Double
    private let most: Double
    private var slots = Deque<Slot>()
    private var current: Slot?
    private var moments = Deque<(least: Double, most: Double)>()
    private var moment = Int.min
    private var judged = 0.0
    private var ordered: [Double] = []

    /// The least transit in seconds, which includes the unknown offset of the clocks.
    private(set) var shortest = 0.0
    private(set) var required = 0.0
    /// The excess over the least transit, in seconds, that 95 % of the recent moments don't exceed.
    private(set) var jitter = 0.0
    /// The growth of transits, in seconds per second, which is the drift between the clocks.
    private(set) var drift = 0.0

    /// - Parameters:
    ///   - least: the lower bound of `required` above `shortest`, in seconds.
    ///   - most: the upper bound of `required` above `shortest`, in seconds.
    init(least: Double, most: Double) {
        self.least = least
        self.most = max(least, most)
        ordered.reserveCapacity(Self.momentCount)
    }

    mutating func take(transit: Double, now: Double) {
        let index = Int((now / Self.momentLength).rounded(.down))
        let isNew = index != moment || moments.isEmpty
        if isNew {
            moment = index
            if moments.count == Self.momentCount { moments.removeFirst() }
            moments.append((transit, transit))
        } else {
            moments[moments.count - 1].least = min(moments[moments.count - 1].least, transit)
            moments[moments.count - 1].most = max(moments[moments.count - 1].most, transit)
        }
        let isFirst = current == nil
        let closed = takeSlot(transit, now)
        if isFirst {
            shortest = transit
            required = transit + least
            judged = now
        }
        if closed || transit > required || transit < shortest || (isNew && now - judged >= 0.1) { judge(now) }
    }

    private mutating func takeSlot(_ transit: Double, _ now: Double) -> Bool {
        guard var slot = current else {
            current = Slot(time: now, least: transit, most: transit)
            return false
        }
        let age = now - slot.time
        // Keep the slot open after a stall, so that all packets delayed by the stall fall into the same slot.
        let isOver = age >= Self.slotLength && (transit - shortest < 0.03 || age >= 2 * Self.slotLength)
        if isOver {
            if slots.count == Self.slotCount { slots.removeFirst() }
            slots.append(slot)
            while let first = slots.first, now - first.time > 2 * Self.slotLength * Double(Self.slotCount) {
                slots.removeFirst()
            }
            slot = Slot(time: now, least: transit, most: transit)
            findDrift()
        }
        slot.least = min(slot.least, transit)
        slot.most = max(slot.most, transit)
        current = slot
        return isOver
    }

    /// Estimates the drift between the last and the first third of the slots since the last change of route, as a
    /// change of route is not drift.
    private mutating func findDrift() {
        var alike = 1
        for index in slots.indices.dropFirst().reversed() {
            guard abs(slots[index].least - slots[index - 1].least) < Self.step else { break }
            alike += 1
        }
        guard alike >= 6 else {
            drift = 0
            return
        }
        let third = alike / 3
        func mean(_ part: Slice<Deque<Slot>>) -> (time: Double, least: Double) {
            let count = Double(part.count)
            return (part.reduce(0) { $0 + $1.time } / count, part.reduce(0) { $0 + $1.least } / count)
        }
        let (old, new) = (mean(slots.suffix(alike).prefix(third)), mean(slots.suffix(third)))
        let found = (new.least - old.least) / max(1, new.time - old.time)
        drift = abs(found) <= 2 * Self.mostDrift ? min(max(found, -Self.mostDrift), Self.mostDrift) : 0
    }

    private mutating func judge(_ now: Double) {
        let elapsed = min(max(0, now - judged), 1)
        judged = now
        forgetOtherWay()
        guard let current else { return }
        var least = current.least
        var highest = current.most
        var second = -Double.infinity
        for slot in slots {
            let moved = drift * (now - slot.time)
            least = min(least, slot.least + moved)
            let most = slot.most + moved
            if most > highest {
                second = highest
                highest = most
            } else {
                second = max(second, most)
            }
        }
        shortest = least
        ordered.removeAll(keepingCapacity: true)
        for moment in moments { ordered.append(moment.most) }
        ordered.sort()
        jitter = max(0, ordered[ordered.count - 1 - ordered.count * 5 / 100] - least)
        let stalled = max(ordered.count * 3 / 100, ordered.count >= 5 ? 1 : 0)
        let usual = ordered[ordered.count - 1 - stalled]
        let wanted = max(usual, min(second, least + Self.mostPeak)) + Self.margin
        let bounded = min(max(wanted, least + self.least), least + self.most)
        let fall = (Self.fall.least + Self.fall.part * max(0, required - bounded)) * elapsed
        required = min(max(bounded, required - fall), least + self.most)
    }

    private mutating func forgetOtherWay() {
        let second = Int(1 / Self.momentLength)
        guard moments.count >= second, let current else { return }
        let lately = moments.suffix(second).reduce(Double.infinity) { min($0, $1.least) }
        guard lately > shortest + Self.otherWay else { return }
        slots.removeAll()
        moments.removeFirst(moments.count - second)
        let most = moments.reduce(lately) { max($0, $1.most) }
        self.current = Slot(time: current.time, least: lately, most: most)
        drift = 0
    }
}
