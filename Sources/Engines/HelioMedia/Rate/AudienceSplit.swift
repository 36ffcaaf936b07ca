package import HelioCore

/// Divides viewers into a main group and a group apart, whose paths carry far less, and decides the bitrate for each
/// group, so that a slow viewer does not limit the others.
///
/// A viewer is slow if its path carries less than the policy's share (half, or a quarter) of the best viewer's rate.
/// The main group's bitrate never follows a slow viewer's path: until the slow viewer is moved apart, its own pacer
/// drops the excess. A viewer is moved apart after being slow for 1.5 s, or at once if its rate has fallen to half of
/// that limit. It returns after carrying 1.2 times the limit for 5 s. The limit follows the best viewer, and not the
/// main group's bitrate, as the viewer's return would change that bitrate. If a return is soon undone, the next wait is
/// doubled, up to a minute.
///
/// No viewer moves twice within five seconds, except if no viewer of the main group is fast: then viewers that are no
/// longer slow return at once. A new viewer's estimate is a guess at first: for three seconds it does not count as the
/// best rate, and a viewer that is slow from the start is not moved apart.
package struct AudienceSplit: Sendable {
    /// The factor on the policy's share above which a viewer counts as fast enough to return.
    private static let returnShare = 1.2
    private static let slowTime = Duration.milliseconds(1500)
    private static let newcomerTime = Duration.seconds(3)
    private static let spacing = Duration.seconds(5)
    private static let leastWait = Duration.seconds(5)
    private static let mostWait = Duration.seconds(60)
    /// A return that is undone within this time counts as a mistake.
    private static let trialTime = Duration.seconds(15)

    /// The minimum bitrate of the group apart.
    package static let leastApart = Bitrate.kilobits(150)

    private struct Member {
        let since: Instant
        var estimate: Bitrate
        var isApart = false
        var slowSince: Instant?
        var fastSince: Instant?
        /// True if the viewer was fast enough for the main group at some time since it joined or last moved apart.
        var wasFast = false
        var moved: Instant?
        var returned: Instant?
        var wait = AudienceSplit.leastWait
    }

    /// The handling of slow viewers. A change takes effect with the next update; viewers in the group apart return only
    /// by the usual rules.
    package var policy: SlowViewerPolicy
    private var members = OrderedTable<ConnectionID, Member>()
    private var best = Bitrate(bitsPerSecond: 0)

    package init(_ policy: SlowViewerPolicy) { self.policy = policy }

    package func isApart(_ viewer: ConnectionID) -> Bool { members[viewer]?.isApart ?? false }

    /// The viewers in the group apart, in the order in which they joined.
    package var apart: [ConnectionID] { members.keys.filter { isApart($0) } }

    /// The bitrate for the main group: the lowest estimate among its viewers that are not slow, or among all if all are
    /// slow; `nil` if the group is empty.
    package var mainRate: Bitrate? {
        let all = members.values.filter { !$0.isApart }.map(\.estimate)
        return all.filter { !isSlow($0) }.min() ?? all.min()
    }

    /// The bitrate of the group apart, at least `leastApart`; `nil` if the group is empty.
    package var apartRate: Bitrate? {
        members.values.filter(\.isApart).map(\.estimate).min().map { max(Self.leastApart, $0) }
    }

    /// Updates the estimates of all present viewers, in any order; viewers that are not listed have left.
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

    /// Moves the viewers whose move is due; the owner reads `apart` afterwards.
    package mutating func tick(now: Instant) {
        // A new viewer's estimate is a guess, so it does not count as the best rate.
        let measured = members.values.filter { now - $0.since >= Self.newcomerTime }
        best = (measured.isEmpty ? members.values : measured).map(\.estimate).max() ?? best
        for viewer in members.keys { note(viewer, now) }
        // A group apart is useful only if at least one viewer that is not slow stays in the main group: a single
        // viewer, for example, is always in the main group.
        if !members.values.contains(where: { !$0.isApart && !isSlow($0.estimate) }) { join(now) }
        for viewer in members.keys { move(viewer, now) }
    }

    package var deadline: Deadline? {
        members.values.compactMap { due($0) }.min().map { Deadline(at: $0, why: "a viewer is slower than others") }
    }

    // MARK: Moves

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

    /// The time of a viewer's next move if its estimate does not change; `nil` if no move is pending.
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

    /// Moves viewers that are no longer slow back to the main group at once.
    private mutating func join(_ now: Instant) {
        for viewer in members.keys {
            guard var member = members[viewer], member.isApart, !isSlow(member.estimate) else { continue }
            member.isApart = false
            member.moved = now
            members[viewer] = member
        }
    }
}
