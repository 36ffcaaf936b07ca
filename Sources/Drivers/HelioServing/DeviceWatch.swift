private import Dispatch
internal import HelioAdmission
internal import HelioCore
private import HelioGround
internal import HelioStores
internal import NIOCore

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// Receives the changes of a running host's paired devices.
protocol DeviceWatchObserver: AnyObject {
    /// Admits these devices from now on, and no others; none if the store can't be used.
    func changed(_ devices: [PairedDevice])
    /// Obeys the devices' hours by this time of day from now on.
    func changed(_ time: TimeOfDay?)
    /// Reports a problem of the store to the user.
    func note(_ sentence: String)
}

/// Notifies a running host of changes to its `DeviceStore`, which other programs may make, and of each minute of the
/// day, with which devices' hours begin or end.
///
/// Lives on the host's event loop, so that an older list never replaces a list with a device that was just paired. It
/// checks the clock and the file's fingerprint once a second, and reads the file only when the fingerprint is new.
final class DeviceWatch {
    private static let interval: TimeAmount = .seconds(1)

    private let store: DeviceStore
    private weak var observer: (any DeviceWatchObserver)?
    private var seen: FileFingerprint?
    private var task: RepeatedTask?
    private var time: TimeOfDay?

    /// Reports the devices at once, and again when they change.
    init(_ store: DeviceStore, on loop: any EventLoop, for observer: any DeviceWatchObserver) {
        self.store = store
        self.observer = observer
        // A problem with the store is reported by the read that follows.
        try? store.forgetVisitors()
        lookAtClock()
        read()
        let bound = NIOLoopBound(self, eventLoop: loop)
        task = loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            bound.value.look()
        }
    }

    func stop() { task?.cancel() }

    /// Stores a device that has just been paired.
    func add(_ device: PairedDevice) {
        do {
            try store.add(device, pairedAt: Int(Date().timeIntervalSince1970))
        } catch {
            observer?.note("\(device.name) was not stored: \(error.message)")
        }
        read()
    }

    /// Stores a device's visit, on another thread, so that no viewer waits for a slow disk.
    func note(visitOf device: DeviceID, from address: String) {
        let (store, time) = (store, Int(Date().timeIntervalSince1970))
        DispatchQueue.global(qos: .utility).async { try? store.note(visitOf: device, at: time, from: address) }
    }

    private func look() {
        lookAtClock()
        if store.fingerprint() != seen { read() }
    }

    private func lookAtClock() {
        let now = WallClock.timeOfDay
        guard now != time else { return }
        time = now
        observer?.changed(now)
    }

    private func read() {
        // The fingerprint is read before the list, so that a change during `load` is detected by the next check.
        seen = store.fingerprint()
        do {
            observer?.changed(try store.load().map(\.device))
        } catch {
            observer?.note(error.message)
            observer?.changed([])
        }
    }
}
