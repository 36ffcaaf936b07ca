import Foundation
import HelioBudgets

/// Measures the hot paths.
///
///     helio-bench [ROUNDS] [--json] [--calls] [protection] [peers] [apps] [path]
///     helio-bench [ROUNDS] [--json] stages
///     helio-bench viewers --link-file FILE ...
///     helio-bench netlab [--only NAME,...] [--seed N] [--json] [--plot FILE.svg]
///
/// By default it runs 201 rounds of all benchmarks. `--calls` checks the budgets only for counted values, not for timed
/// ones. `viewers` needs a running host: see `ViewerBench`. `stages` prints a separate table: see `StageBench`.
/// `netlab` measures not this machine, but our rate control on simulated networks: see `NetlabCommand`.
@main
struct HelioBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let rounds = arguments.lazy.compactMap { Int($0) }.first ?? 201
        let table = Table(isJSON: arguments.contains("--json"))
        Budget.countsCallsAlone = arguments.contains("--calls")
        if arguments.first == "viewers" {
            table.title("viewers as browsers are, in this process, at one host")
            do {
                return try await ViewerBench(Array(arguments), table).run()
            } catch {
                // Prints the error for people, instead of a stack trace.
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
        if arguments.first == "netlab" {
            do {
                try Budget.finish(isKept: NetlabCommand(Array(arguments.dropFirst())).run())
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
        if arguments.contains("stages") { return try StageBench(rounds: rounds, table: table).run() }
        let named = arguments.filter { ["protection", "peers", "apps", "path"].contains($0) }
        var isKept = true
        if named.isEmpty || named.contains("protection") { isKept = try Budgets(rounds: rounds, table).run() && isKept }
        if named.isEmpty || named.contains("peers") {
            table.title("two peer connections in memory, one thread, payload by time of the core")
            isKept = try PeerBench(rounds: rounds, table).run() && isKept
        }
        if named.isEmpty || named.contains("apps") {
            table.title("two apps of the public library, UDP on loopback, payload by time of the cores")
            try await AppBench(rounds: rounds, table).run()
        }
        if named.isEmpty || named.contains("path") {
            table.title("a data channel over a simulated path")
            try PathBench(table).run()
        }
        Budget.finish(isKept: isKept)
    }
}
