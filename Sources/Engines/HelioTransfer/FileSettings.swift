/// The bounds and times of one end of an exchange of files.
package struct FileSettings: Sendable, Hashable {
    /// The batches that may wait to be sent, the one under way among them.
    package var batches = 8
    /// The most files and folders, and the most bytes, of one batch that is taken.
    package var mostFiles = 100_000
    package var mostBytes = UInt64.max
    /// The bytes that may be on their way without being on the receiver's disk: 10 MB/s and more over a round trip of
    /// 100 ms.
    package var window = 2 * 1024 * 1024
    /// The bytes that may be given to the channel and not be taken by it yet: input has to wait behind as much.
    package var queue = 64 * 1024
    /// The refusals and verdicts that wait for the channel.
    package var answers = 64
    /// How long the receiving person may take to answer.
    package var questionPatience = Duration.seconds(120)
    /// How long the sender waits for that answer.
    package var offerPatience = Duration.seconds(150)
    /// How long the other end may take to answer anything else.
    package var patience = Duration.seconds(120)
    /// How long the other end may read what there already is of a file, or have no room on the channel.
    package var longPatience = Duration.seconds(900)
    /// How long the disk may take for one step.
    package var diskPatience = Duration.seconds(60)
    /// How long a batch waits for a new channel.
    package var absence = Duration.seconds(3600)
    /// The time from a question to the next one; it doubles, up to the second, with each that is not answered by yes.
    package var questionInterval = Duration.seconds(2)
    package var longestQuestionInterval = Duration.seconds(600)
    package var progressInterval = Duration.milliseconds(250)

    package init() {}
}
