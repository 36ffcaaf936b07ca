import Foundation
import HelioTestLanes
import Testing

@testable import HelioTestPrograms

@Suite("Ports for programs", .timeLimit(.minutes(1)), .tags(.quiet))
struct LoopbackPortTests {
    private static let variable = "HELIO_TELLS_ITS_PORT"

    @Test("each is even, none was given lately, and the one above it is free too")
    func ports() throws {
        let ports = try (0..<40).map { _ in try #require(LoopbackPort.find()) }
        #expect(Set(ports).count == 40 && ports.allSatisfy { $0.isMultiple(of: 2) })
        let descriptors = ports.prefix(4).flatMap { port in
            [port, port + 1].map { port in
                let descriptor = LoopbackSocket.open(SOCK_DGRAM)
                #expect(!LoopbackPort.receives(port) && LoopbackSocket.bind(descriptor, to: "127.0.0.1", port))
                #expect(LoopbackPort.receives(port))
                return descriptor
            }
        }
        for descriptor in descriptors { close(descriptor) }
    }

    @Test("a process that runs the same test beside has other ones")
    func processes() throws {
        let mine = try #require(LoopbackPort.find())
        if ProcessInfo.processInfo.environment[Self.variable] != nil { return print("port \(mine)") }
        let other = try RunningProgram(
            CommandLine.arguments[0],
            ["--testing-library", "swift-testing", "--filter", "LoopbackPortTests/processes\\("],
            environment: [Self.variable: "1"])
        let told = try other.line("its port") { $0.hasPrefix("port ") }
        let theirs = try #require(UInt16(told.dropFirst("port ".count)))
        func block(_ port: UInt16) -> Int { (Int(port) - LoopbackPort.first) / LoopbackPort.blockSize }
        #expect(block(mine) != block(theirs))
        #expect(other.waitUntilExit() == 0)
    }
}
