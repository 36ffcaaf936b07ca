import HelioBudgets

/// Counts what the hot paths allocate, for `script/test`: in the build of the checks, where the engines are optimised, so
/// that nothing is compiled once more for it. Times are printed, and not held against anything: they mean nothing on a busy
/// machine.
///
///     helio-budgets
///
/// Ends with status 1 where a budget is not kept.
@main
struct HelioBudgetsCommand {
    static func main() throws {
        Budget.countsCallsAlone = true
        Budget.finish(isKept: try Budgets(rounds: 11, Table()).run())
    }
}
