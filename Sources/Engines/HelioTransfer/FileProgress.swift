package import HelioTransferWire

/// The progress of a batch, reported at `FileSettings.progressInterval` and when the channel is cut.
package struct FileProgress: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The number of the current file or folder, from 1.
    package var index: Int
    /// The number of files and folders in the batch.
    package var count: Int
    /// The bytes that were sent, or passed to this end's disk.
    package var bytes: UInt64
    /// The size of the whole batch in bytes.
    package var totalBytes: UInt64
    /// The mean rate over the last 5 seconds, in bytes per second; 0 if nothing was transferred, or no channel is open.
    package var rate: Double
    /// The estimated remaining time at the present rate; `nil` if it is unknown.
    package var timeLeft: Duration?
    /// True while no channel is open; the batch resumes on the next channel.
    package var isInterrupted: Bool

    init(
        _ batch: BatchID, _ direction: FileDirection, index: Int, count: Int, bytes: UInt64, totalBytes: UInt64,
        rate: Double, isInterrupted: Bool
    ) {
        self.batch = batch
        self.direction = direction
        self.index = index
        self.count = count
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.rate = isInterrupted ? 0 : rate
        self.isInterrupted = isInterrupted
        let seconds = Double(totalBytes - min(bytes, totalBytes)) / max(1, rate)
        timeLeft = self.rate > 0 && seconds < 1e9 ? .seconds(Int64(seconds.rounded(.up))) : nil
    }
}
