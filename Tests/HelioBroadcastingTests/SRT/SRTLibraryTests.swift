import Foundation
import HelioBroadcasting  // Which brings the library in.
import HelioTestLanes
import Testing

@Suite(.tags(.quiet))
struct SRTLibraryTests {
    /// Debian builds libsrt twice, with OpenSSL and with GnuTLS, under two names and with the same symbols. FFmpeg takes
    /// the one with GnuTLS. A process that loads both shares the variables of one between the two, and whatever ends
    /// last frees them again: it dies when it ends.
    @Test("a process has one libsrt: FFmpeg's") func one() throws {
        // Of a file in /proc the size is not known beforehand.
        let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd() ?? Data()
        let libraries = Set(
            String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { $0.split(separator: "/").last }
                .filter { $0.hasPrefix("libsrt") }
                .filter { !$0.hasPrefix("libsrtp") })
        #expect(libraries.count == 1, "\(libraries.sorted())")
    }
}
