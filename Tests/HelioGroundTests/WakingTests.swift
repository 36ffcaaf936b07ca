import Foundation
import HelioCore
import HelioGround
import HelioTestLanes
import Testing

@Suite("Threads, wake-ups and alarms", .tags(.quiet))
struct WakingTests {
    @Test("a signal is there until it is taken, however often it was given")
    func signal() throws {
        let wakeup = try Wakeup()
        #expect(!wakeup.take())
        #expect(!wakeup.wait(until: .zero))
        wakeup.signal()
        wakeup.signal()
        #expect(wakeup.wait(until: .zero) && wakeup.wait(until: .zero))
        #expect(wakeup.take())
        #expect(!wakeup.take())
    }

    @Test("a signal from another thread ends a wait for a descriptor")
    func alongside() async throws {
        let (wakeup, other) = (try Wakeup(), try Wakeup())
        let thread = WorkerThread(name: "signals", isUrgent: false) { wakeup.signal() }
        while !wakeup.wait(until: .zero) { wakeup.wait(alongside: other.descriptor, until: nil) }
        await thread.join()
        // The descriptor is woken as well.
        wakeup.take()
        other.signal()
        wakeup.wait(alongside: other.descriptor, until: nil)
        #expect(other.take() && !wakeup.take())
    }

    @Test("a wait for a descriptor ends at its instant, and not before")
    func limit() throws {
        let wakeup = try Wakeup()
        let end = MonotonicClock.now + .milliseconds(20)
        #expect(!wakeup.wait(until: end))
        #expect(MonotonicClock.now >= end)
    }

    @Test("an alarm goes off at its instant, and one that has passed at once")
    func alarm() throws {
        let alarm = try Alarm()
        func goesOff(by end: Instant) -> Bool {
            var polls = [DescriptorPoll(alarm.descriptor)]
            DescriptorPoll.wait(&polls, until: end)
            return polls[0].isReadable
        }
        #expect(!goesOff(by: .zero))
        let instant = MonotonicClock.now + .milliseconds(20)
        alarm.set(instant)
        #expect(goesOff(by: instant + .seconds(20)))
        #expect(MonotonicClock.now >= instant)
        alarm.take()
        #expect(!goesOff(by: .zero))
        alarm.set(.zero)
        #expect(goesOff(by: MonotonicClock.now + .seconds(20)))
    }

    @Test("a thread with a small stack runs its body, and whoever joins it waits for the end")
    func joining() async throws {
        let done = SharedFlag()
        let gate = try Wakeup()
        let thread = try WorkerThread.start(name: "small", stack: WorkerThread.smallStack) {
            _ = gate.wait(until: MonotonicClock.now + .seconds(20))
            done.set()
        }
        #expect(!done.isSet)
        gate.signal()
        await thread.join()
        #expect(done.isSet)
        // Joining again after the end returns at once.
        await thread.join()
    }

    #if os(Linux)
    /// If the program exited before a low-priority thread, that thread would be the one to free the program's memory,
    /// which takes seconds on busy cores.
    @Test("a thread of low priority is gone once it has vanished, and one that ended by itself needs no time to")
    func vanishing() throws {
        for waits in [true, false] {
            let (gate, begun) = (try Wakeup(), try Wakeup())
            let thread = try WorkerThread.start(name: "vanishing", stack: WorkerThread.smallStack) {
                begun.signal()
                ThreadPriority.lower()
                if waits { _ = gate.wait(until: MonotonicClock.now + .seconds(20)) }
            }
            #expect(begun.wait(until: MonotonicClock.now + .seconds(20)))
            if waits { #expect(Self.threads.contains("vanishing")) }
            gate.signal()
            thread.vanish(within: .seconds(20))
            if waits { #expect(!Self.threads.contains("vanishing")) }
        }
    }

    /// The names of this process's threads.
    private static var threads: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .newlines)
        }
    }
    #endif
}
