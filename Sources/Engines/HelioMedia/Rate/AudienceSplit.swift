package import HelioCore

/// Decides which viewers are apart from the others, as their paths carry far less, and what both are coded for: no
/// viewer pays for another.
///
/// A viewer is slow whose path carries less than half of what the best one's does. What the others are sent never keeps
/// to a slow one's path: until it is apart, its own pacer drops what is too much. It is apart once it was slow for a
/// second and a half, and at once where it has fallen to half of that. It comes back when it has carried 0.6 of the
/// best for five seconds; measured by the best, not by what is coded, so that what brings it back is never what sends it
/// away. Where that was a mistake, the next wait is twice as long, up to a minute.
///
/// Nobody moves twice within five seconds, but for the one case that nobody would be left: then the best are back at
/// once. A newcomer, whose estimate begins as a guess, is given three seconds, and is no measure for others until then.
package struct AudienceSplit: Sendable {
    /// The share of the best estimate from which on a viewer comes back, in shares that make it slow.
    private static let returnShare = 1.2
    private static let slowTime = Duration.milliseconds(1500)
    private static let newcomerTime = Duration.seconds(3)
    private static let spacing = Duration.seconds(5)
    private static let leastWait = Duration.seconds(5)
    private static let mostWait = Duration.seconds(60)
    /// The time within which a return that is taken back was a mistake.
    private static let trialTime = Duration.seconds(15)

    /// The least that the viewers apart are coded for.
    package static let leastApart = Bitrate.kilobits(150)

    private struct Member {
        let since: Instant
        var estimate: Bitrate
        var isApart = false
        var slowSince: Instant?
        var fastSince: Instant?
        /// True once it was no slow one.
        var wasFast = false
        var moved: Instant?
        var returned: Instant?
        var wait = AudienceSplit.leastWait
    }

    /// What becomes of slow viewers. Another takes effect with the next estimates; the viewers apart stay so.
    package var policy: SlowViewerPolicy
    private var members = OrderedTable<ConnectionID, Member>()
    private var best = Bitrate(bitsPerSecond: 0)

    package init(_ policy: SlowViewerPolicy) { self.policy = policy }

    package func isApart(_ viewer: ConnectionID) -> Bool { members[viewer]?.isApart ?? false }

    /// The viewers apart, in the order in which they came.
    package var apart: [ConnectionID] { members.keys.filter { isApart($0) } }

    /// What the others are coded for: the least that any of them carries who is not slow. `nil` where nothing is known.
    package var mainRate: Bitrate? {
        let all = members.values.filter { !$0.isApart }.map(\.estimate)
        return all.filter { !isSlow($0) }.min() ?? all.min()
    }

    /// What the viewers apart are coded for; `nil` where there are none.
    package var apartRate: Bitrate? {
        members.values.filter(\.isApart).map(\.estimate).min().map { max(Self.leastApart, $0) }
    }

    /// Takes what is known of all who watch now, in any order; who is not among them has left.
    package mutating func update(_ estimates: [(viewer: ConnectionID, bitrate: Bitrate)], now: Instant) {
        let present = Set(estimates.map(\.viewer))
        for gone in members.keys where !present.contains(gone) { members[gone] = nil }
        for (viewer, bitrate) in estimates {
            if members[viewer] == nil {
                members[viewer] = Member(since: now, estimate: bitrate)
            } else {
                members[viewer]?.estimate = bitrate
            }
        }
        tick(now: now)
    }

    /// Does what is due. To be asked for who is apart afterwards.
    package mutating func tick(now: Instant) {
        // What a newcomer begins with is a guess, which is no measure for others.
        let measured = members.values.filter { now - $0.since >= Self.newcomerTime }
        best = (measured.isEmpty ? members.values : measured).map(\.estimate).max() ?? best
        for viewer in members.keys { note(viewer, now) }
        // Somebody who is not slow has to be left, or nothing is gained: with a single viewer, say.
        if !members.values.contains(where: { !$0.isApart && !isSlow($0.estimate) }) { join(now) }
        for viewer in members.keys { move(viewer, now) }
    }

    package var deadline: Deadline? {
        members.values.compactMap { due($0) }.min().map { Deadline(at: $0, why: "a viewer is slower than others") }
    }

    // MARK: Inside

    private func isSlow(_ estimate: Bitrate, by factor: Double = 1) -> Bool {
        guard let share = policy.share else { return false }
        return Double(estimate.bitsPerSecond) < Double(best.bitsPerSecond) * share * factor
    }

    private mutating func note(_ viewer: ConnectionID, _ now: Instant) {
        guard var member = members[viewer] else { return }
        if isSlow(member.estimate) {
            member.slowSince = member.slowSince ?? now
        } else {
            member.slowSince = nil
            member.wasFast = true
        }
        member.fastSince = isSlow(member.estimate, by: Self.returnShare) ? nil : member.fastSince ?? now
        if let returned = member.returned, now - returned >= Self.trialTime {
            member.returned = nil
            member.wait = max(Self.leastWait, member.wait / 2)
        }
        members[viewer] = member
    }

    /// The time of a viewer's next move, as things are; `nil` where none is due.
    private func due(_ member: Member) -> Instant? {
        let since = member.isApart ? member.fastSince : member.slowSince
        guard let since else { return nil }
        let patience =
            if member.wasFast {
                isSlow(member.estimate, by: 0.5) ? Duration.zero : Self.slowTime
            } else {
                member.moved == nil ? Self.newcomerTime : Self.slowTime
            }
        let wait = member.isApart ? member.wait : patience
        return max(since + wait, member.moved.map { $0 + Self.spacing } ?? since)
    }

    private mutating func move(_ viewer: ConnectionID, _ now: Instant) {
        guard var member = members[viewer], let at = due(member), at <= now else { return }
        member.isApart.toggle()
        member.moved = now
        if member.isApart {
            if member.returned != nil { member.wait = min(Self.mostWait, member.wait * 2) }
            member.returned = nil
            member.wasFast = false
        } else {
            member.returned = now
        }
        members[viewer] = member
    }

    /// Brings those back at once who are not slow any more.
    private mutating func join(_ now: Instant) {
        for viewer in members.keys {
            guard var member = members[viewer], member.isApart, !isSlow(member.estimate) else { continue }
            member.isApart = false
            member.moved = now
            members[viewer] = member
        }
    }
}
