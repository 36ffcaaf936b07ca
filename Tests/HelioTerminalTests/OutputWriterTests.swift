import Foundation
import HelioTerminal
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The writer with real pipes, terminals and devices.
@Suite("The writer of an output", .timeLimit(.minutes(1)), .tags(.quiet))
struct OutputWriterTests {
    /// A pipe whose ends the test controls.
    private final class Ends {
        let reading: Int32
        let writing: Int32

        init() throws {
            signal(SIGPIPE, SIG_IGN)
            var ends: (Int32, Int32) = (-1, -1)
            let made = withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: Int32.self, capacity: 2) { pipe($0) }
            }
            try #require(made == 0)
            (reading, writing) = ends
        }

        /// Reads until the text meets a condition.
        func text(until isWanted: (String) -> Bool) -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while !isWanted(String(decoding: bytes, as: UTF8.self)) {
                let count = read(reading, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("nobody reads: whoever writes goes on, memory is bounded, and what is missing is told and counted")
    func unread() throws {
        let ends = try Ends()
        let writer = OutputWriter(ends.writing, mostLines: 100)
        let line = String(repeating: "x", count: 1000)
        // Far more than a pipe's 64 KiB and the queue hold; no call may block.
        for _ in 0..<10_000 { writer.write(TerminalText(line)) }
        #expect(!writer.drain(within: .zero))
        let lost = try #require(writer.drops["output-not-read"])
        #expect(lost > 9000)
        var (told, whole) = (0, 0)
        _ = ends.text { text in
            let lines = text.split(separator: "\n")
            told = lines.compactMap { $0.wholeMatch(of: /\(([0-9]+) lines? (?:is|are) missing.*/) }
                .compactMap { Int($0.1) }.reduce(0, +)
            whole = lines.count { $0 == line }
            return told >= lost && whole >= 10_000 - lost
        }
        #expect(told == lost && whole == 10_000 - lost)
        #expect(writer.drain(within: .seconds(30)))
    }

    @Test("on a full disk lines are lost and counted, and nothing else happens")
    func full() throws {
        let device = open("/dev/full", O_WRONLY)
        try #require(device >= 0)
        let writer = OutputWriter(device)
        for number in 0..<10 { writer.write(TerminalText("\(number)")) }
        #expect(writer.drain(within: .seconds(30)))
        #expect(writer.drops == ["output-not-written": 10])
    }

    @Test("where the reader has gone, lines are lost and counted")
    func closed() throws {
        let ends = try Ends()
        let writer = OutputWriter(ends.writing)
        writer.write("first")
        #expect(ends.text { $0.hasSuffix("\n") } == "first\n")
        close(ends.reading)
        writer.write("second")
        writer.write("third")
        #expect(writer.drain(within: .seconds(30)))
        #expect(writer.drops == ["output-not-written": 2])
    }

    @Test("an output that somebody else has made non-blocking gets all lines")
    func nonblocking() throws {
        let ends = try Ends()
        _ = fcntl(ends.writing, F_SETFL, O_NONBLOCK)
        let writer = OutputWriter(ends.writing)
        for number in 0..<30_000 { writer.write(TerminalText("line \(number)")) }
        let text = ends.text { $0.hasSuffix("line 29999\n") }
        #expect(text.split(separator: "\n").count == 30_000)
        #expect(writer.drops.isEmpty)
    }

    @Test("in a terminal the status stays below all lines; a dumb one has none")
    func status() throws {
        let (terminal, dumb) = (try Terminal(), try Terminal())
        let writer = OutputWriter(terminal.side.fileDescriptor, environment: ["TERM": "xterm", "LANG": "C.UTF-8"])
        writer.show("2 watching")
        #expect(writer.drain(within: .seconds(30)))
        writer.write("news")
        #expect(writer.drain(within: .seconds(30)))
        writer.show(nil)
        #expect(writer.drain(within: .seconds(30)))
        #expect(terminal.read() == "2 watching\r\u{1B}[Knews\r\n2 watching\r\u{1B}[K")
        let plain = OutputWriter(dumb.side.fileDescriptor, environment: ["TERM": "dumb"])
        plain.show("2 watching")
        plain.write("news")
        #expect(plain.drain(within: .seconds(30)))
        #expect(dumb.read() == "news\r\n")
    }
}
