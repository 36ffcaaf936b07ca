package import HelioCore
internal import HelioGround
package import NIOCore

/// Runs one engine on one event loop: feeds it inputs, drains its outputs, and ticks it at its deadline.
///
/// Everything happens on the loop, synchronously and without locks: one input, then all outputs of this input, then the
/// next input. Another thread must call `feed` through `loop.execute`.
package final class EngineLoop<E: Engine & ~Copyable & SendableMetatype> {
    private let loop: any EventLoop
    private var engine: E
    private let perform: (E.Output) -> Void
    private let settled: () -> Void
    private var timer: (at: Instant, task: Scheduled<Void>)?
    private var isDraining = false
    private var isStopped = false

    /// - Parameters:
    ///   - perform: executes one output. It may call `feed` again: the new input is handled at once, and its outputs
    ///     follow the outputs that are already queued.
    ///   - settled: called after all outputs of an input or a tick are executed, to flush sockets.
    package init(
        _ engine: consuming E, on loop: any EventLoop, perform: @escaping (E.Output) -> Void,
        settled: @escaping () -> Void
    ) {
        self.engine = engine
        self.loop = loop
        self.perform = perform
        self.settled = settled
    }

    package func feed(_ input: E.Input) {
        loop.preconditionInEventLoop()
        if isStopped { return }
        engine.handle(input, now: MonotonicClock.now)
        drain()
    }

    /// Reads the engine's state, for statistics.
    package func read<Value>(_ body: (borrowing E) -> Value) -> Value {
        loop.preconditionInEventLoop()
        return body(engine)
    }

    /// Changes the engine by other means than an input, then executes its outputs.
    package func update(_ body: (inout E, Instant) -> Void) {
        loop.preconditionInEventLoop()
        if isStopped { return }
        body(&engine, MonotonicClock.now)
        drain()
    }

    /// Stops the engine: executes no more outputs, and cancels the timer.
    package func stop() {
        loop.preconditionInEventLoop()
        isStopped = true
        timer?.task.cancel()
        timer = nil
    }

    private func drain() {
        if isDraining { return }
        isDraining = true
        while !isStopped, let output = engine.poll() { perform(output) }
        isDraining = false
        settled()
        arm()
    }

    /// Sets the timer for the engine's deadline. A tick before the deadline is harmless, so an earlier timer is kept: a
    /// session that postpones its deadline with every packet causes no rescheduling.
    private func arm() {
        guard !isStopped, let deadline = engine.deadline else { return }
        if let timer, timer.at <= deadline.at { return }
        timer?.task.cancel()
        let at = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.at.nanoseconds)))
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = (deadline.at, loop.scheduleTask(deadline: at) { bound.value.fire() })
    }

    private func fire() {
        timer = nil
        if isStopped { return }
        engine.tick(now: MonotonicClock.now)
        drain()
    }
}
