import Foundation

/// IPv6 for tests that need it, also on a machine that has none.
package enum IPv6Machine {
    /// Whether loopback knows IPv6 here.
    package static let isThisOne = LoopbackPort.find(ipv6: true) != nil

    private static let variable = "HELIOGRAPH_TESTS_IPV6_MACHINE"

    /// False where this machine has IPv6: go on. Else the test that calls this has been run on a machine of its own, and
    /// is done; throws, with what was said there, where it failed.
    ///
    /// A socket belongs to the network of its process, so that is another one, which runs this test alone.
    package static func hasDone(_ function: String = #function, in file: String = #fileID) throws -> Bool {
        if isThisOne { return false }
        if ProcessInfo.processInfo.environment[variable] != nil {
            throw RunningProgram.Ended(description: "there is no IPv6 in a namespace either")
        }
        let test = file.replacing("/", with: ".").replacing(".swift", with: "/") + function.prefix { $0 != "(" }
        let program = try NetworkMachine().start(
            CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", test + "\\("],
            environment: [variable: "1"])
        let status = program.waitUntilExit()
        guard status == 0, program.text.contains("Test run with 1 test") else {
            throw RunningProgram.Ended(description: "\(test) in a namespace: \(program.text)")
        }
        return true
    }
}
