/// The limits and times of a bundle.
package struct LinkBundleSettings: Sendable {
    /// The interval of probes on an active link.
    package var activeInterval: Duration = .milliseconds(60)
    /// The interval of probes on a link in reserve.
    package var idleInterval: Duration = .milliseconds(200)
    /// The interval of probes on a link whose answer is late.
    package var doubtInterval: Duration = .milliseconds(50)
    /// The time without an answer after which a link is silent, at least; longer with a long round trip.
    package var leastSilence: Duration = .milliseconds(600)
    package var mostSilence: Duration = .seconds(3)
    /// The number of probes that have to be unanswered before a link is silent. It protects a link while this machine
    /// sleeps or stalls.
    package var leastUnanswered = 3
    /// The time after which a bundle without any link ends.
    package var patience: Duration = .seconds(120)
    /// The time for the rest of the stream when this end ends the bundle.
    package var ending: Duration = .seconds(2)
    /// The number of bytes that may wait in the stream.
    package var streamRoom = 256 * 1024
    /// The maximum size of a datagram, in bytes, without the bundle's first byte.
    package var maximumDatagram = 2047
    /// The maximum size of an SCTP packet, in bytes: with seal, TURN, UDP and IP below 1280 bytes.
    package var streamPacket = 1150
    /// The maximum number of links.
    package var maximumLinks = 16
    /// The share of lost datagrams from which control also goes by a second link.
    package var lossyShare = 0.02
    /// The share of lost datagrams up to which a second link counts as clean.
    package var cleanShare = 0.01
    /// The time for which a link of a dearer kind has to be better before it is used.
    package var challenge: Duration = .seconds(1)
    /// The first and longest time for which a link that had fallen silent is not preferred once it answers again.
    package var returnHold: ClosedRange<Duration> = .seconds(1) ... .seconds(6)
    /// The first and longest time for which a link that was left for its loss is not preferred.
    package var lossHold: ClosedRange<Duration> = .seconds(5) ... .seconds(60)
    /// The time for which a link has to stay up for its holds to start from the beginning.
    package var steady: Duration = .seconds(30)

    package init() {}
}
