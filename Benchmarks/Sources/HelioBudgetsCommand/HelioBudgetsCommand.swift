import HelioBudgets

/// Counts the allocations of the hot paths for `script/test`, in the checks' build, where the engines are optimised, so
/// that no additional build is needed. Times are printed but not checked: they are meaningless on a busy machine.
///
///     helio-budgets
///
/// Exits with status 1 if a budget is exceeded.
@main
struct HelioBudgetsCommand {
    static func main() throws {
        Budget.countsCallsAlone = true
        Budget.finish(isKept: try Budgets(rounds: 11, Table()).run())
    }
}
