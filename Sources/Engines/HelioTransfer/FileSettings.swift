/// The limits and times of one end of a file exchange.
package struct FileSettings: Sendable, Hashable {
    /// The most batches queued, including the one under way.
    package var batches = 8
    /// The most files and folders, and the most bytes, of one batch that is accepted.
    package var mostFiles = 100_000
    package var mostBytes = UInt64.max
    /// The most bytes in flight that are not on the receiver's disk yet: enough for 10 MB/s over a round trip of 100
    /// ms.
    package var window = 2 * 1024 * 1024
    /// The most bytes queued for the channel: input has to wait behind them.
    package var queue = 64 * 1024
    /// The most refusals and verdicts queued for the channel.
    package var answers = 64
    /// The longest time that the receiving user may take to answer.
    package var questionPatience = Duration.seconds(120)
    /// The longest time that the sender waits for the receiving user's answer.
    package var offerPatience = Duration.seconds(150)
    /// How long the other end may take to answer anything else.
    package var patience = Duration.seconds(120)
    /// The longest time that the other end may take to read its part of a file, or leave the channel without room.
    package var longPatience = Duration.seconds(900)
    /// How long the disk may take for one step.
    package var diskPatience = Duration.seconds(60)
    /// How long a batch waits for a new channel.
    package var absence = Duration.seconds(3600)
    /// The shortest time from a question to the next one. It doubles with each question that is not answered by yes, up
    /// to `longestQuestionInterval`.
    package var questionInterval = Duration.seconds(2)
    package var longestQuestionInterval = Duration.seconds(600)
    package var progressInterval = Duration.milliseconds(250)

    package init() {}
}
