import Glibc
import HelioCore
import Synchronization

/// Measures for how long a machine keeps ready threads from running: a control for measurements in milliseconds. A
/// virtual machine's cores stand still while its host has other work for them, and a sound server that should have been
/// asked for the next 5 ms of sound meanwhile runs out of it, whatever the program under test does.
package enum MachineStalls {
    /// Above what the kernel's own scheduling takes on a machine that has nothing else to do.
    private static let limit = Duration.milliseconds(5)
    private static let tries = 20

    /// Measures until the machine has not stood still meanwhile, or 20 times; gives the last measurement, with the longest
    /// that a core stood still.
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
                // Taken back by the thread.
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

        /// Ends the threads; gives the longest that one of them had to wait.
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

    /// The cores that a thread runs on. Swift's module of the C library lacks these functions.
    private enum Affinity {
        private typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
        private static let words = 16

        private static func function(_ name: String) -> Function {
            unsafeBitCast(dlsym(nil, name), to: Function.self)
        }

        /// The numbers of those that this process may run on.
        static var cores: [Int] {
            var set = [UInt64](repeating: 0, count: words)
            guard function("sched_getaffinity")(0, words * 8, &set) >= 0 else { return [] }
            return (0..<words * 64).filter { set[$0 / 64] & 1 << UInt64($0 % 64) != 0 }
        }

        /// The calling thread runs on this one alone.
        static func pin(to core: Int) {
            var set = [UInt64](repeating: 0, count: words)
            set[core / 64] = 1 << UInt64(core % 64)
            _ = function("sched_setaffinity")(0, words * 8, &set)
        }
    }
}
