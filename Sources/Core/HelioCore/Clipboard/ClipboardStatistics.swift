/// Counts for one end of a clipboard exchange; never content.
package struct ClipboardStatistics: Sendable {
    package var offersSent = 0
    package var offersReceived = 0
    /// The number of transfers that were sent completely, and the bytes sent, including those of unfinished transfers.
    package var transfersSent = 0
    package var bytesSent = 0
    /// The number of transfers that were received completely, and the bytes received, including those of unfinished
    /// transfers.
    package var transfersReceived = 0
    package var bytesReceived = 0
    package var drops = DropCounter<ClipboardDrop>()

    package init() {}
}

extension ClipboardStatistics {
    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.offersSent += b.offersSent
        sum.offersReceived += b.offersReceived
        sum.transfersSent += b.transfersSent
        sum.bytesSent += b.bytesSent
        sum.transfersReceived += b.transfersReceived
        sum.bytesReceived += b.bytesReceived
        sum.drops.add(b.drops)
        return sum
    }
}
