import HelioPeer
import HelioSCTP

/// A channel between the two ends of a turmoil, and the messages sent on it. Its label is unique.
struct TurmoilChannel {
    let description: DataChannelDescription
    /// The stream number of a pre-negotiated channel.
    let number: UInt16?
    /// The ends that opened the channel: both, if it is pre-negotiated.
    let openers: Set<Int>
    /// The messages accepted for sending, by end.
    var sent: [[DataChannelMessage]] = [[], []]
    /// The ends that closed the channel.
    var closers: Set<Int> = []

    var label: String { description.label }

    /// The fault in the messages that have arrived from one end; `nil` if there is none.
    ///
    /// - Parameter isOver: whether the channel has ended, so that messages may be missing and no more will arrive.
    func fault(of received: [DataChannelMessage], from end: Int, isOver: Bool) -> String? {
        let sent = sent[end]
        let name = "\(label) from \(end): \(received.count) of \(sent.count)"
        guard received.count <= sent.count else { return "\(name), more than were sent" }
        let isReliable = description.reliability == .reliable
        if description.isOrdered {
            var rest = sent[...]
            for message in received {
                guard let place = rest.firstIndex(of: message), !isReliable || place == rest.startIndex else {
                    return "\(name), in another order, twice or changed"
                }
                rest = rest[(place + 1)...]
            }
        } else {
            var left: [DataChannelMessage: Int] = [:]
            for message in sent { left[message, default: 0] += 1 }
            for message in received {
                guard let count = left[message], count > 0 else { return "\(name), twice or changed" }
                left[message] = count - 1
            }
        }
        // Messages sent by an end before its own close are still delivered.
        let isWhole = isReliable && closers.isSubset(of: [end]) && !isOver
        return isWhole && received.count < sent.count ? "\(name), not all" : nil
    }
}
