import HelioPeer
import HelioSCTP

/// A channel between the two ends of a turmoil, and what was put into it. Its label is its own.
struct TurmoilChannel {
    let description: DataChannelDescription
    /// The number that both ends know of beforehand.
    let number: UInt16?
    /// The ends that opened it: both, where they know of it.
    let openers: Set<Int>
    /// What was taken to be sent, by end.
    var sent: [[DataChannelMessage]] = [[], []]
    /// The ends that asked for its end.
    var closers: Set<Int> = []

    var label: String { description.label }

    /// What is wrong with what came from one end at the other by now; `nil` where nothing is.
    ///
    /// - Parameter isOver: something may have been cut off, and nothing more comes.
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
        // What one end sent before it closed still goes.
        let isWhole = isReliable && closers.isSubset(of: [end]) && !isOver
        return isWhole && received.count < sent.count ? "\(name), not all" : nil
    }
}
