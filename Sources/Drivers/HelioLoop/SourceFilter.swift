internal import CDatagram
internal import HelioCore

/// Has the system drop datagrams that name no known source, before any thread is woken: a stranger's packet then costs
/// no more than its path through the kernel. Linux alone (socket(7), SO_ATTACH_FILTER); elsewhere each datagram is
/// read.
///
/// The filter saves work and proves nothing: authentication finds out the sender of what passes.
struct SourceFilter {
    /// The filter's program for the system.
    private var steps: [helio_filter_step]

    private static let loadWord: UInt16 = 0x20
    private static let jumpIfEqual: UInt16 = 0x15
    private static let jump: UInt16 = 0x05
    private static let answer: UInt16 = 0x06
    /// The most sources: the system's programs jump no further.
    private static let mostSources = 250
    private static let udpHeaderSize = 8

    /// - Parameters:
    ///   - sources: the known SSRCs. With more than a program can hold, all datagrams pass.
    ///   - offsets: where in the datagram the source may be, in bytes.
    init(_ sources: [SSRC], at offsets: [Int]) {
        let pass = helio_filter_step(code: Self.answer, skip_true: 0, skip_false: 0, value: .max)
        guard sources.count <= Self.mostSources else {
            steps = [pass]
            return
        }
        steps = []
        for offset in offsets {
            // What is too short to have the word is thrown away by the load.
            steps.append(
                helio_filter_step(
                    code: Self.loadWord, skip_true: 0, skip_false: 0, value: UInt32(Self.udpHeaderSize + offset)))
            for (index, source) in sources.enumerated() {
                steps.append(
                    helio_filter_step(
                        code: Self.jumpIfEqual, skip_true: UInt8(sources.count - index), skip_false: 0,
                        value: source.rawValue))
            }
            steps += [helio_filter_step(code: Self.jump, skip_true: 0, skip_false: 0, value: 1), pass]
        }
        steps.append(helio_filter_step(code: Self.answer, skip_true: 0, skip_false: 0, value: 0))
    }

    #if os(Linux)
    /// The socket option that sets the filter, at the socket's level.
    static let option = CInt(helio_filter_option)
    static let countOption = CInt(helio_memory_option)
    /// The result of that option: its last word is the number of datagrams that were dropped, also for want of room.
    typealias Counts = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

    /// Calls `body` with the option's value, which is good until this returns.
    func withValue<Result>(_ body: (helio_filter) -> Result) -> Result {
        steps.withUnsafeBufferPointer {
            body(helio_filter(count: UInt16($0.count), steps: UInt(bitPattern: $0.baseAddress)))
        }
    }
    #endif
}
