package import HelioCore

/// Counts of one end of a clipboard's exchange; never content.
package struct ClipboardStatistics: Sendable {
    package var offersSent = 0
    package var offersReceived = 0
    /// Contents that were sent to their end, and their bytes.
    package var transfersSent = 0
    package var bytesSent = 0
    /// Contents that came to their end, and the bytes of all that came.
    package var transfersReceived = 0
    package var bytesReceived = 0
    package var drops = DropCounter<ClipboardDrop>()

    package init() {}
}
