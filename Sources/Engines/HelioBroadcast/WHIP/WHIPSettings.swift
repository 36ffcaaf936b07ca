/// The times of a WHIP exchange.
package struct WHIPSettings: Sendable, Hashable {
    /// The longest time that the offer may wait for its answer, including redirections.
    package var answerTimeout = Duration.seconds(10)
    /// How long the end may wait for its answer.
    package var endTimeout = Duration.milliseconds(1500)

    package init() {}
}
