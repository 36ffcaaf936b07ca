/// The keyboard locks of one end, which the other end should adopt.
package struct LockState: Hashable, Sendable {
    /// Caps Lock; `nil` if this end does not know its state, which leaves the other end's Caps Lock unchanged.
    package var caps: Bool?
    /// Num Lock; `nil` if this end has none (a Mac), which leaves the other end's Num Lock unchanged.
    package var num: Bool?

    package init(caps: Bool? = nil, num: Bool? = nil) {
        self.caps = caps
        self.num = num
    }
}
