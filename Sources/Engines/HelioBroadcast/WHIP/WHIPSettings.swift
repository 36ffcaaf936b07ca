/// The timeouts of a WHIP exchange.
package struct WHIPSettings: Sendable, Hashable {
    /// The timeout of the offer, including redirections.
    package var answerTimeout = Duration.seconds(10)
    /// The timeout of the request that ends the session.
    package var endTimeout = Duration.milliseconds(1500)

    package init() {}
}
