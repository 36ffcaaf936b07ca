package import HelioCore
package import HelioRemoteWire

/// Decides which viewer drives: one at a time, native or browser (docs/web/protocol.md, "Who drives").
///
///     nobody --acts, requests control--> one viewer --hands over, leaves, is idle for 10 s--> nobody
///
/// Whether a viewer is permitted to drive is decided elsewhere: only permitted viewers' acts and requests reach this
/// type.
package struct ControlTurn: Sendable {
    /// The result of a request for control.
    package enum Answer: Sendable, Hashable {
        case granted
        /// Another viewer drives; the caller asks that viewer to hand control over.
        case taken(by: ViewerNumber)
    }

    /// The idle time after which the driver loses control.
    package static let idleTime = Duration.seconds(10)

    package private(set) var driver: ViewerNumber?
    private var lastAct = Instant.zero
    /// True while the driver holds a key, button or touch: the driver then does not count as idle.
    private var isHolding = false
    /// The former driver that has handed control over without naming another viewer. Its pointer motion does not make
    /// it the driver again, but a press does.
    private var giver: ViewerNumber?

    package init() {}

    /// Returns whether to inject the viewer's act: true if the viewer drives. If there is no driver, the viewer becomes
    /// the driver.
    ///
    /// - Parameters:
    ///   - isMotion: true if the act only moves the pointer.
    ///   - isHolding: true if the viewer holds a key, button or touch after the act.
    package mutating func act(_ viewer: ViewerNumber, isMotion: Bool, isHolding: Bool, now: Instant) -> Bool {
        tick(now: now)
        if driver == nil, !(isMotion && giver == viewer) { give(to: viewer) }
        guard driver == viewer else { return false }
        lastAct = now
        self.isHolding = isHolding
        return true
    }

    /// Returns whether to inject a state of the viewer, such as its lock keys: true unless another viewer drives. A
    /// state never makes a viewer the driver.
    package mutating func allowsState(of viewer: ViewerNumber, now: Instant) -> Bool {
        tick(now: now)
        return driver == nil || driver == viewer
    }

    /// Restarts the driver's idle time, as everything that it held has been released.
    package mutating func release(_ viewer: ViewerNumber, now: Instant) {
        guard driver == viewer, isHolding else { return }
        isHolding = false
        lastAct = now
    }

    package mutating func request(_ viewer: ViewerNumber, now: Instant) -> Answer {
        tick(now: now)
        if let driver, driver != viewer { return .taken(by: driver) }
        if driver == nil { give(to: viewer) }
        lastAct = now
        return .granted
    }

    /// Hands control over to a viewer, or with `nil` to the first viewer that acts. Returns false, and changes nothing,
    /// if `giver` does not drive.
    package mutating func handOver(by giver: ViewerNumber, to viewer: ViewerNumber?, now: Instant) -> Bool {
        tick(now: now)
        guard driver == giver else { return false }
        if viewer == giver { return true }
        give(to: viewer)
        lastAct = now
        if viewer == nil { self.giver = giver }
        return true
    }

    /// Takes control from a viewer that has left or lost the permission to drive.
    package mutating func leave(_ viewer: ViewerNumber) {
        if driver == viewer { give(to: nil) }
        if giver == viewer { giver = nil }
    }

    package mutating func tick(now: Instant) {
        if let deadline, now >= deadline.at { give(to: nil) }
    }

    package var deadline: Deadline? {
        guard driver != nil, !isHolding else { return nil }
        return Deadline(at: lastAct + Self.idleTime, why: "who drives does nothing")
    }

    private mutating func give(to viewer: ViewerNumber?) {
        driver = viewer
        isHolding = false
        giver = nil
    }
}
