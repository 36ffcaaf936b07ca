import Foundation

/// A time-out for waits in tests, by the real clock; it starts when it is made.
package struct Patience {
    /// Thrown when the awaited condition did not occur in time.
    package struct Exhausted: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    /// The time-out for events that take milliseconds on an idle machine.
    package static let usual = Duration.seconds(30)

    private let end: ContinuousClock.Instant

    package init(_ limit: Duration = usual) { end = .now + limit }

    package var isOver: Bool { ContinuousClock.now >= end }

    /// The remaining time; zero if it is over.
    var left: Duration { max(.zero, end - .now) }

    /// Waits until a descriptor is readable or at its end; returns false after the time-out.
    package func waitToRead(_ descriptor: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // A signal to this process is not an event.
            let count = poll(&event, 1, Int32(left / .milliseconds(1)))
            if count > 0 { return true }
            if isOver { return false }
        }
    }

    /// Polls a condition that no event signals; returns false after the time-out.
    package func wait(until holds: () throws -> Bool) rethrows -> Bool {
        while try !holds() {
            if isOver { return false }
            _ = poll(nil, 0, 2)
        }
        return true
    }
}

/// Polls a condition that no event signals, after 1, 2 and then every 4 ms, without blocking the thread in between;
/// throws after the time-out.
///
/// - Parameters:
///   - what: a description of the condition for the error, such as "the peer is gone".
///   - sees: the state at the time-out, for the error too.
package func eventually(
    _ what: String, within limit: Duration = Patience.usual, sees: @autoclosure () async throws -> String = "",
    isolation: isolated (any Actor)? = #isolation, _ holds: () async throws -> Bool
) async throws {
    let patience = Patience(limit)
    var pause = Duration.milliseconds(1)
    while try await !holds() {
        if patience.isOver {
            throw Patience.Exhausted(description: "within \(limit) it never was that \(what); \(try await sees())")
        }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(4))
    }
}
