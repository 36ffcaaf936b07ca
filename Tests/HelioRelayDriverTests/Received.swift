import HelioCore
import HelioGround
import HelioLocalSocket

extension LocalSocket {
    /// Receives bytes until the other side closes, a condition holds, or the time is over; also returns whether it was
    /// closed.
    func receiveAll(
        atMost limit: Duration = .seconds(20), until holds: ([UInt8]) -> Bool = { _ in false }
    ) -> (bytes: [UInt8], isClosed: Bool) {
        let end = MonotonicClock.now + limit
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        while !holds(bytes), MonotonicClock.now < end {
            switch receive(into: buffer) {
            case .done(let count): bytes += buffer[..<count]
            case .closed: return (bytes, true)
            case .wouldBlock:
                var polls = [DescriptorPoll(descriptor)]
                DescriptorPoll.wait(&polls, until: end)
            }
        }
        return (bytes, false)
    }
}
