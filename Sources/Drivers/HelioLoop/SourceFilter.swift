internal import CDatagram
internal import HelioCore

/// A kernel filter that drops datagrams without a known SSRC before any thread is woken, so that a packet of an unknown
/// sender costs only its path through the kernel. Linux only (socket(7), SO_ATTACH_FILTER); elsewhere each datagram is
/// read.
///
/// The filter only saves work: each datagram that passes is still authenticated.
struct SourceFilter {
    /// The filter's program, in instructions of classic BPF.
    private var steps: [helio_filter_step]

    private static let loadWord: UInt16 = 0x20
    private static let jumpIfEqual: UInt16 = 0x15
    private static let jump: UInt16 = 0x05
    private static let answer: UInt16 = 0x06
    /// The maximum number of sources: a jump's offset has 8 bits.
    private static let mostSources = 250
    private static let udpHeaderSize = 8

    /// - Parameters:
    ///   - sources: the known SSRCs. If there are more than `mostSources`, all datagrams pass.
    ///   - offsets: the possible offsets of the SSRC in a datagram, in bytes.
    init(_ sources: [SSRC], at offsets: [Int]) {
        let pass = helio_filter_step(code: Self.answer, skip_true: 0, skip_false: 0, value: .max)
        guard sources.count <= Self.mostSources else {
            steps = [pass]
            return
        }
        steps = []
        for offset in offsets {
            // The load drops a datagram that is too short to contain the word.
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
    /// The result of `countOption`. Its last word is the number of datagrams dropped by the filter or because the
    /// receive buffer was full.
    typealias Counts = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

    /// Calls `body` with the option's value, which is valid until `body` returns.
    func withValue<Result>(_ body: (helio_filter) -> Result) -> Result {
        steps.withUnsafeBufferPointer {
            body(helio_filter(count: UInt16($0.count), steps: UInt(bitPattern: $0.baseAddress)))
        }
    }
    #endif
}
