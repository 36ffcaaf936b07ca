import Foundation

/// Provides IPv6 for tests that need it, even on a machine without it.
package enum IPv6Machine {
    /// True if this machine's loopback interface has IPv6.
    package static let isThisOne = LoopbackPort.find(ipv6: true) != nil

    private static let variable = "HELIOGRAPH_TESTS_IPV6_MACHINE"

    /// Returns false if this machine has IPv6: the caller continues. Otherwise runs the calling test in another process
    /// with its own network, and returns true; throws with that process's output if it failed.
    ///
    /// A socket belongs to its process's network namespace, hence another process, which runs only this test.
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
