import Foundation
import HelioBroadcasting  // Links libsrt.
import HelioTestLanes
import Testing

@Suite(.tags(.quiet))
struct SRTLibraryTests {
    /// Debian builds libsrt twice, with OpenSSL and with GnuTLS, under two names and with the same symbols. FFmpeg uses
    /// the one with GnuTLS. In a process that loads both, the two share one library's variables, which are freed twice
    /// at exit: the process crashes.
    @Test("a process has one libsrt: FFmpeg's") func one() throws {
        // The size of a file in /proc is not known beforehand.
        let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd() ?? Data()
        let libraries = Set(
            String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { $0.split(separator: "/").last }
                .filter { $0.hasPrefix("libsrt") }
                .filter { !$0.hasPrefix("libsrtp") })
        #expect(libraries.count == 1, "\(libraries.sorted())")
    }
}
