/// The limits and timeouts of one end of a file exchange.
package struct FileSettings: Sendable, Hashable {
    /// The maximum number of batches queued for sending, including the batch under way.
    package var batches = 8
    /// The maximum number of files and folders in a batch that is accepted; `mostBytes` is its maximum size.
    package var mostFiles = 100_000
    package var mostBytes = UInt64.max
    /// The maximum number of bytes in flight that are not on the receiver's disk yet: enough for 10 MB/s with a round
    /// trip of 100 ms.
    package var window = 2 * 1024 * 1024
    /// The maximum number of bytes queued for the channel. It is small, as input waits behind these bytes.
    package var queue = 64 * 1024
    /// The maximum number of answers queued for the channel, such as refusals and verdicts.
    package var answers = 64
    /// The timeout of the question to the receiving user.
    package var questionPatience = Duration.seconds(120)
    /// The timeout of an offer at the sender: longer than `questionPatience`, as the receiving user is asked.
    package var offerPatience = Duration.seconds(150)
    /// The timeout of the peer's credit and verdicts.
    package var patience = Duration.seconds(120)
    /// The timeout for the peer to hash its part of a file, and for a channel that accepts no bytes.
    package var longPatience = Duration.seconds(900)
    /// The timeout of one command to the disk.
    package var diskPatience = Duration.seconds(60)
    /// The time for which a batch waits for a new channel.
    package var absence = Duration.seconds(3600)
    /// The minimum interval of questions to the user. It doubles with each question that the user does not accept, up
    /// to `longestQuestionInterval`.
    package var questionInterval = Duration.seconds(2)
    package var longestQuestionInterval = Duration.seconds(600)
    package var progressInterval = Duration.milliseconds(250)

    package init() {}
}
