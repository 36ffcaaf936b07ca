import HelioCore

/// The statistics of one link.
package struct LinkStatistics: Hashable, Sendable {
    package var kind: LinkKind
    package var state: LinkState
    /// The number of datagrams sent and received, probes included.
    package var sent = 0
    package var received = 0
    /// The number of this end's datagrams that the peer did not receive, by its reports.
    package var lost = 0
    /// The share of datagrams lost lately, of the worse direction: 0 to 1.
    package var loss = 0.0
    /// The smoothed round trip of probes; `nil` before the first answer.
    package var roundTrip: Duration?
    /// The number of times the link has come up.
    package var timesUp = 0
}

/// The statistics of a bundle.
package struct LinkBundleStatistics: Sendable, DropReporting {
    package var links: [LinkID: LinkStatistics] = [:]
    package var media: LinkID?
    package var control: LinkID?
    /// The number of changes of the active links.
    package var changes = 0
    /// The number of control datagrams sent by a second link too.
    package var doubled = 0
    /// The number of received control datagrams that had come before, mostly by another link. They are passed on, as
    /// the session numbers its datagrams.
    package var doubles = 0
    package var drops: [String: Int] = [:]

    /// The kind of the link that carries media; `nil` while there is none.
    package var mediaKind: LinkKind? { media.flatMap { links[$0]?.kind } }
}
