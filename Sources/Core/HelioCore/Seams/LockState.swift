/// The keyboard locks of one end: what is to be on at the other, too.
package struct LockState: Hashable, Sendable {
    /// Caps Lock; `nil`: this end does not know, and the other's stays as it is.
    package var caps: Bool?
    /// Num Lock; `nil`: this end has none (a Mac), and the other's stays as it is.
    package var num: Bool?

    package init(caps: Bool? = nil, num: Bool? = nil) {
        self.caps = caps
        self.num = num
    }
}
