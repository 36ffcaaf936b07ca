/// `a=sendrecv` and the like: which way media goes, as seen by who says it (RFC 8866 section 6.7).
package enum MediaDirection: String, Sendable, CaseIterable {
    case sendrecv, sendonly, recvonly, inactive

    package init(sends: Bool, receives: Bool) {
        switch (sends, receives) {
        case (true, true): self = .sendrecv
        case (true, false): self = .sendonly
        case (false, true): self = .recvonly
        case (false, false): self = .inactive
        }
    }

    package var sends: Bool { self == .sendrecv || self == .sendonly }
    package var receives: Bool { self == .sendrecv || self == .recvonly }
    /// The same as seen by the other end.
    package var reversed: Self { Self(sends: receives, receives: sends) }

    package func intersection(_ other: Self) -> Self {
        Self(sends: sends && other.sends, receives: receives && other.receives)
    }
}
