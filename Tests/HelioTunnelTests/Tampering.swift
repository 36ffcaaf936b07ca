import HelioTunnel

/// An attack on the envelopes of one end of a call. Used on the loop alone.
final class Tampering {
    /// The first envelopes of another call's ends.
    struct First: Sendable {
        var ringer: [UInt8]
        var host: [UInt8]
    }

    private let attack: MaliciousRendezvousTests.Attack
    private let onRingers: Bool
    private let another: First?
    private var count = 0
    private let giveBack: (CallEvent, _ isRingers: Bool) -> Void
    private var held: CallEvent?

    /// - Parameter giveBack: delivers an event to the end that has sent it.
    init(
        _ attack: MaliciousRendezvousTests.Attack, onRingers: Bool, another: First?,
        giveBack: @escaping (CallEvent, _ isRingers: Bool) -> Void
    ) {
        self.attack = attack
        self.onRingers = onRingers
        self.another = another
        self.giveBack = giveBack
    }

    /// Returns what is delivered in an event's place; `nil` for the event itself.
    func change(_ event: CallEvent, isRingers: Bool) -> [CallEvent]? {
        guard case .message(let bytes) = event, isRingers == onRingers else { return nil }
        count += 1
        switch (attack, count) {
        case (.repeatsFirst, 1), (.repeatsSecond, 2): return [event, event]
        case (.exchangesFirstTwo, 1):
            held = event
            return []
        case (.exchangesFirstTwo, 2): return [event] + [held].compactMap { $0 }
        case (.leavesOutFirst, 1), (.leavesOutSecond, 2): return []
        case (.changesABit, 1):
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            return [.message(changed)]
        case (.reflects, 1):
            giveBack(event, isRingers)
            return nil
        case (.playsAnotherCall, 1): return [.message((onRingers ? another?.ringer : another?.host) ?? [])]
        default: return nil
        }
    }
}
