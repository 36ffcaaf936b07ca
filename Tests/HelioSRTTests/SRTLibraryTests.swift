import Foundation
import HelioSRT  // Which brings the library in.
import Testing

struct SRTLibraryTests {
    /// Debian builds libsrt twice, with OpenSSL and with GnuTLS, under two names and with the same symbols. FFmpeg takes
    /// the one with GnuTLS. A process that loads both shares the variables of one between the two, and whatever ends
    /// last frees them again: it dies when it ends.
    @Test("a process has one libsrt: FFmpeg's") func one() throws {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let libraries = Set(
            maps.split(separator: "\n").compactMap { $0.split(separator: "/").last }.filter { $0.hasPrefix("libsrt") }
                .filter { !$0.hasPrefix("libsrtp") })
        #expect(libraries.count == 1, "\(libraries.sorted())")
    }
}
