import Glibc
import HelioCore
import Synchronization

/// Measures for how long the machine keeps ready threads from running: a control for measurements in milliseconds. A
/// virtual machine's cores stop while its host has other work, and a sound server then runs out of samples, whatever
/// the program under test does.
package enum MachineStalls {
    /// Longer than kernel scheduling takes on an otherwise idle machine.
    private static let limit = Duration.milliseconds(5)
    private static let tries = 20

    /// Repeats a measurement until the machine did not stall during it, up to 20 times; returns the last one, with the
    /// longest stall of a core.
    package static func measure<Value>(_ body: () throws -> Value) rethrows -> (value: Value, stall: Duration) {
        for _ in 1..<tries {
            let measured = try measureOnce(body)
            if measured.stall < limit { return measured }
        }
        return try measureOnce(body)
    }

    private static func measureOnce<Value>(_ body: () throws -> Value) rethrows -> (value: Value, stall: Duration) {
        let watch = Watch()
        let value = try withExtendedLifetime(watch, body)
        return (value, watch.end())
    }

    /// A thread on each core that wants to run every millisecond.
    private final class Watch {
        private final class Shared: Sendable {
            let isOver = Atomic(false)
            let longest = Atomic<Int64>(0)
        }

        private let shared = Shared()
        private var threads: [pthread_t] = []

        init() {
            for core in Affinity.cores {
                // Released by the thread.
                let context = Unmanaged.passRetained(Work(core: core, shared: shared)).toOpaque()
                var thread = pthread_t()
                let status = pthread_create(
                    &thread, nil,
                    { context in
                        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                        return nil
                    }, context)
                precondition(status == 0, "no thread for core \(core)")
                threads.append(thread)
            }
        }

        /// Ends the threads; returns the longest delay of any of them.
        func end() -> Duration {
            shared.isOver.store(true, ordering: .relaxed)
            for thread in threads { pthread_join(thread, nil) }
            threads = []
            return .nanoseconds(shared.longest.load(ordering: .relaxed))
        }

        deinit { _ = end() }

        private final class Work {
            private let core: Int
            private let shared: Shared

            init(core: Int, shared: Shared) {
                self.core = core
                self.shared = shared
            }

            func run() {
                Affinity.pin(to: core)
                while !shared.isOver.load(ordering: .relaxed) {
                    let due = Instant.now + .milliseconds(1)
                    var time = timespec(
                        tv_sec: Int(due.nanoseconds / 1_000_000_000), tv_nsec: Int(due.nanoseconds % 1_000_000_000))
                    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
                    shared.longest.max((Instant.now - due).nanoseconds, ordering: .relaxed)
                }
            }
        }
    }

    /// The CPU affinity of threads. Swift's module of the C library lacks these functions.
    private enum Affinity {
        private typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
        private static let words = 16

        private static func function(_ name: String) -> Function {
            unsafeBitCast(dlsym(nil, name), to: Function.self)
        }

        /// The numbers of the cores on which this process may run.
        static var cores: [Int] {
            var set = [UInt64](repeating: 0, count: words)
            guard function("sched_getaffinity")(0, words * 8, &set) >= 0 else { return [] }
            return (0..<words * 64).filter { set[$0 / 64] & 1 << UInt64($0 % 64) != 0 }
        }

        /// Restricts the calling thread to one core.
        static func pin(to core: Int) {
            var set = [UInt64](repeating: 0, count: words)
            set[core / 64] = 1 << UInt64(core % 64)
            _ = function("sched_setaffinity")(0, words * 8, &set)
        }
    }
}
