package import HelioCore
internal import HelioGround

/// Plays a session's sound on a device of this machine: opens the device with the first sound, and closes it after
/// `Times.rest` without sound. If no device can be opened, the player reports the failure once, and retries every
/// `Times.retry`.
///
/// `@unchecked Sendable`: only the player's own thread uses the state outside `shared`.
package final class SoundPlayer: @unchecked Sendable {
    /// A snapshot of a player's state.
    package struct Status: Sendable {
        /// The name of the device that plays; `nil` while none plays.
        package var device: String?
        /// The delay from the mixer's output until the sound is heard.
        package var latency: Duration?
        /// The number of times that the device ran out of samples.
        package var underruns: UInt64 = 0
    }

    /// The intervals at which a player checks, closes and reopens its device.
    package struct Times: Sendable {
        /// The time without sound after which the device is closed.
        package var rest: Duration
        /// The wait before a device that could not be opened is tried again.
        package var retry: Duration
        /// The interval at which an open device is checked.
        package var looking: Duration

        package init(
            rest: Duration = .seconds(10), retry: Duration = .seconds(15), looking: Duration = .milliseconds(500)
        ) {
            self.rest = rest
            self.retry = retry
            self.looking = looking
        }
    }

    package let mixer: SoundMixer
    private let platform: any SoundPlatform
    private let device: String?
    private let times: Times
    private let bell: @Sendable () -> Void
    private let wantedChanged: @Sendable (Bool) -> Void

    /// The state that the player's thread shares with other threads.
    private struct Shared: Sendable {
        var isOn: Bool
        var volume: Float
        var isStopped = false
        /// True once the player's thread has ended.
        var isOver = false
        /// True if the thread has something to check.
        var hasNews = false
        /// True while a device is open or can't be opened; new sound then does not wake the thread.
        var isAttended = false
        /// True after no device could be opened: sound is not wanted until one can be opened, or sound is turned off
        /// and on.
        var hasFailed = false
        var notes: [String] = []
        var shown = Status()
    }

    private let shared: ThreadMailbox<Shared>

    // The following state is used by the player's own thread only.
    private var output: (any SoundPlaying)?
    private var wasLost = false
    private var retryAt: Instant?
    private var hasToldFailure = false

    /// Starts the thread, which sleeps until there is sound.
    ///
    /// - Parameters:
    ///   - device: the ID or displayed name of the device; `nil` for the default device.
    ///   - volume: the playback volume, 0...1.
    ///   - bell: called on the player's thread when a note is queued.
    ///   - wantedChanged: called with the new value when `isWanted` has changed, on any thread.
    package init(
        of platform: any SoundPlatform, device: String?, isOn: Bool, volume: Float, times: Times = Times(),
        bell: @escaping @Sendable () -> Void, wantedChanged: @escaping @Sendable (Bool) -> Void
    ) {
        self.platform = platform
        // Replace a displayed name by the device's ID.
        self.device = device.map { name in (try? platform.outputDevices())?.first { $0.name == name }?.id ?? name }
        shared = ThreadMailbox(Shared(isOn: isOn, volume: volume))
        self.times = times
        self.bell = bell
        self.wantedChanged = wantedChanged
        mixer = SoundMixer(of: platform)
        mixer.set(volume: volume, isMuted: !isOn)
        WorkerThread(name: "heliograph-sound") { [self] in run() }
    }

    /// Handles an event of the session's sound. Called on the event loop.
    package func take(_ news: SoundNews) {
        guard case .packet = news else { return mixer.put(news) }
        let (isOn, isAttended) = shared.withLock { ($0.isOn, $0.isAttended) }
        // Packets may still be in flight when sound is turned off, and third-party sources keep sending them.
        guard isOn else { return }
        mixer.put(news)
        if !isAttended { ring() }
    }

    /// True if the source should send sound: sound is on, and can be played.
    package var isWanted: Bool { shared.withLock { $0.isOn && !$0.hasFailed } }

    /// True if the user wants to hear the sound.
    package var isHeard: Bool { shared.withLock { $0.isOn } }

    /// Turns the sound on or off; while it is off, only third-party sources send sound.
    package func turn(on: Bool) {
        let isChanged = shared.withLock { shared in
            defer { shared.isOn = on }
            return shared.isOn != on
        }
        guard isChanged else { return }
        apply()
        wantedChanged(isWanted)
        ring()
    }

    /// Sets the playback volume; values outside 0...1 are clamped.
    package func set(volume: Float) {
        shared.withLock { $0.volume = min(1, max(0, volume)) }
        apply()
    }

    package var loudness: Float { shared.withLock { $0.volume } }

    private func apply() {
        let (volume, isOn) = shared.withLock { ($0.volume, $0.isOn) }
        mixer.set(volume: volume, isMuted: !isOn)
    }

    /// Returns the queued notes for the user, and clears the queue.
    package func takeNotes() -> [String] {
        shared.withLock { shared in
            defer { shared.notes = [] }
            return shared.notes
        }
    }

    package var status: Status { shared.withLock { $0.shown } }

    /// Ends the thread, and waits until the device is closed, for two seconds at most.
    package func stop() {
        shared.put { $0.isStopped = true }
        _ = shared.take(until: MonotonicClock.now + .seconds(2)) { $0.isOver ? true : nil }
    }

    private func ring() { shared.put { $0.hasNews = true } }

    // MARK: The player's thread

    private func run() {
        while !wait() { look(MonotonicClock.now) }
        close()
        shared.put { $0.isOver = true }
    }

    /// Waits for a change, or for the next check; true once the player is stopped.
    private func wait() -> Bool {
        let until = output != nil ? MonotonicClock.now + times.looking : retryAt
        _ = shared.take(until: until) { $0.hasNews || $0.isStopped ? true : nil }
        return shared.withLock { shared in
            shared.hasNews = false
            return shared.isStopped
        }
    }

    private func look(_ now: Instant) {
        let isOn = isHeard
        let isResting = mixer.lastPacket.map { now - $0 > times.rest } ?? true
        if let output {
            if !isOn || isResting { return close() }
            watch(output)
        } else if !isOn {
            // A failure is reported anew after sound is turned on again.
            retryAt = nil
            hasToldFailure = false
            shared.withLock { shared in
                shared.hasFailed = false
                shared.isAttended = false
            }
        } else if let retryAt {
            if now >= retryAt { open(now) }
        } else if !isResting {
            open(now)
        }
    }

    private func open(_ now: Instant) {
        do {
            let output = try platform.openOutput(device: device) { [mixer] samples, heard in
                mixer.render(&samples, heard: heard)
            }
            self.output = output
            wasLost = false
            retryAt = nil
            mixer.set(output.format)
            let hadFailed = shared.withLock { shared in
                shared.isAttended = true
                defer { shared.hasFailed = false }
                return shared.hasFailed
            }
            if hadFailed {
                hasToldFailure = false
                say("Sound is played by \(output.deviceName).")
                wantedChanged(isWanted)
            }
            watch(output)
        } catch {
            retryAt = now + times.retry
            let isFirst = shared.withLock { shared in
                shared.isAttended = true
                defer { shared.hasFailed = true }
                return !shared.hasFailed
            }
            if isFirst { wantedChanged(false) }
            if !hasToldFailure { say("\(error.message) The host's sound is not played.") }
            hasToldFailure = true
        }
    }

    /// Checks an open device: reports its loss or return, and updates the status.
    private func watch(_ output: any SoundPlaying) {
        let isLost = output.state == .lost
        if isLost != wasLost {
            say(
                isLost
                    ? "The sound device is gone. Sound goes on when it, or another, is there."
                    : "Sound is played again, by \(output.deviceName).")
        }
        wasLost = isLost
        shared.withLock {
            $0.shown = Status(
                device: isLost ? nil : output.deviceName, latency: isLost ? nil : output.latency,
                underruns: output.underruns)
        }
    }

    private func close() {
        guard let output else { return }
        output.stop()
        self.output = nil
        mixer.set(nil)
        shared.withLock { shared in
            shared.isAttended = false
            shared.shown = Status(underruns: output.underruns)
        }
    }

    private func say(_ note: String) {
        shared.withLock { $0.notes.append(note) }
        bell()
    }
}
