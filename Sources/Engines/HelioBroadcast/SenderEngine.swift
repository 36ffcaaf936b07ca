package import HelioCore

/// The engine of a broadcast's sender: a ``Broadcast`` and the protocol of one transport, over connections that a
/// driver makes.
package protocol SenderEngine: Engine, SendableMetatype
where Input == SenderInput<LinkEvent>, Output == SenderOutput<LinkCommand> {
    /// An event of the connection, reported by the driver.
    associatedtype LinkEvent: Sendable
    /// A command to the driver about the connection.
    associatedtype LinkCommand: Sendable

    /// True once the broadcast has ended; apart from outputs that are already queued, none follow.
    var isOver: Bool { get }

    /// The broadcast's statistics, with the present state of the connection.
    mutating func statistics(now: Instant) -> BroadcastStatistics
}

/// An input of a sender's engine: media to send, an event of its connection, or the request to end.
package enum SenderInput<LinkEvent: Sendable>: Sendable {
    case picture(BroadcastPicture)
    case sound(EncodedSound)
    case link(LinkEvent)
    /// Ends the broadcast, after the queued units have been sent.
    case end
}

/// An output of a sender's engine.
package enum SenderOutput<LinkCommand: Sendable>: Sendable {
    case link(LinkCommand)
    case event(BroadcastEvent)
}

extension SenderOutput: Equatable where LinkCommand: Equatable {}

extension Broadcast {
    /// Handles a sender's input, except for an event of its connection, which is returned for the sender to handle.
    mutating func handle<LinkEvent>(_ input: consuming SenderInput<LinkEvent>, now: Instant) -> LinkEvent? {
        switch input {
        case .picture(let picture): handle(.picture(picture), now: now)
        case .sound(let sound): handle(.sound(sound), now: now)
        case .end: handle(.end, now: now)
        case .link(let event): return event
        }
        return nil
    }
}
