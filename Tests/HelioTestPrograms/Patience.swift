import Foundation

/// How long a test waits for what has to happen, by the real clock; begins when it is made.
package struct Patience {
    /// What was waited for did not come.
    package struct Exhausted: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    /// Of what is a matter of milliseconds on an idle machine.
    package static let usual = Duration.seconds(30)

    private let end: ContinuousClock.Instant

    package init(_ limit: Duration = usual) { end = .now + limit }

    package var isOver: Bool { ContinuousClock.now >= end }

    /// The time until its end; zero where it is over.
    var left: Duration { max(.zero, end - .now) }

    /// Waits until there is something to read, or its end; false where patience ends first.
    package func waitToRead(_ descriptor: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // A signal of this process's is no event.
            let count = poll(&event, 1, Int32(left / .milliseconds(1)))
            if count > 0 { return true }
            if isOver { return false }
        }
    }

    /// Looks again and again, for what no event tells; false where patience ends first.
    package func wait(until holds: () -> Bool) -> Bool {
        while !holds() {
            if isOver { return false }
            _ = poll(nil, 0, 2)
        }
        return true
    }
}

/// Returns once it holds, of what no event tells: looks again after 1, 2 and then each 4 ms, and leaves the processor
/// to what is waited for meanwhile.
///
/// - Parameters:
///   - what: for the error, with which it ends where patience does: "the peer is gone".
///   - sees: for the error too: what there was instead.
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
