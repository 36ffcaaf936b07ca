/// A sans-IO state machine: bytes, ticks and seeds in; bytes and events out.
///
/// The driver's loop is always the same: `handle` one input (or `tick` at the deadline), then `poll`
/// until it returns `nil`, then wait for the next input or for `deadline`. An engine never reads a
/// clock, draws a random number of its own, touches a socket or starts a thread, so the same code runs
/// on sockets and, stepped on virtual time, in tests.
package protocol Engine: ~Copyable {
    associatedtype Input
    associatedtype Output

    /// Takes one input. A peer's junk is a counted drop, never a trap or an error thrown here.
    mutating func handle(_ input: consuming Input, now: Instant)

    /// Does what is due at `now`. Calling it early is harmless.
    mutating func tick(now: Instant)

    /// The next output, or `nil` when there is none. Drain it after every `handle` and `tick`.
    mutating func poll() -> Output?

    /// When `tick` is next needed, and why; `nil` when only an input can change anything.
    var deadline: Deadline? { get }
}

/// An instant at which an engine wants to be ticked, and its reason, for traces and tests.
package struct Deadline: Sendable {
    package var at: Instant
    package var why: StaticString

    package init(at: Instant, why: StaticString) {
        self.at = at
        self.why = why
    }

    /// The earlier of two deadlines that may each be absent.
    package static func earliest(_ a: Deadline?, _ b: Deadline?) -> Deadline? {
        guard let a else { return b }
        guard let b else { return a }
        return b.at < a.at ? b : a
    }
}
