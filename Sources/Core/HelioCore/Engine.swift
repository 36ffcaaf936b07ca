/// A sans-IO state machine: bytes, ticks and seeds in; bytes and events out.
///
/// The driver's loop is always the same: `handle` one input (or `tick` at the deadline), then `poll` until it returns
/// `nil`, then wait for the next input or for `deadline`. An engine never reads a clock, draws random numbers from a
/// global generator, touches a socket or starts a thread, so the same code runs on sockets and, stepped on virtual
/// time, in tests.
package protocol Engine: ~Copyable {
    associatedtype Input
    associatedtype Output

    /// Handles one input. Invalid input from a peer is a counted drop, never a trap or a thrown error.
    mutating func handle(_ input: consuming Input, now: Instant)

    /// Does the work that is due at `now`. Calling it early is harmless.
    mutating func tick(now: Instant)

    /// Returns the next output, or `nil` if there is none. The driver calls this method after every `handle` and `tick`
    /// until it returns `nil`.
    mutating func poll() -> Output?

    /// The time at which the engine next needs `tick`, with the reason; `nil` if only an input can change anything.
    var deadline: Deadline? { get }
}

/// An instant at which an engine has to be ticked, with the reason, for traces and tests.
package struct Deadline: Sendable {
    package var at: Instant
    package var why: StaticString

    package init(at: Instant, why: StaticString) {
        self.at = at
        self.why = why
    }

    /// The earlier of two optional deadlines.
    package static func earliest(_ a: Deadline?, _ b: Deadline?) -> Deadline? {
        guard let a else { return b }
        guard let b else { return a }
        return b.at < a.at ? b : a
    }
}
