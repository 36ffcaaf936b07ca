package import HelioTransferWire

/// How far a batch has come.
package struct FileProgress: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The number of the current file or folder, from 1, and how many there are.
    package var index: Int
    package var count: Int
    /// The bytes of the whole batch that are done: sent, or written here.
    package var bytes: UInt64
    package var totalBytes: UInt64
    /// The mean of the last seconds, in bytes a second; 0 where nothing goes on.
    package var rate: Double
    /// The time left at that rate; `nil`: it can't be told.
    package var timeLeft: Duration?
    /// True where there is no channel: it goes on with the next one.
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
