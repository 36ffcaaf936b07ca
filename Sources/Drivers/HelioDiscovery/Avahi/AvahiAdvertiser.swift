#if os(Linux)
internal import CAvahi
private import Foundation

/// Announces a service through Avahi's daemon.
final class AvahiAdvertiser: ServiceAdvertising {
    private let thread: AvahiThread

    init(_ service: ServiceAnnouncement, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void) {
        thread = AvahiThread { AdvertisingTask(service, onEvent) }
    }

    deinit { thread.stop() }

    func stop() async {
        thread.stop()
        let thread = self.thread
        // The wait is limited to 2 s, as a daemon that hangs must not block the caller. The thread ends later by
        // itself.
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        Task {
            await thread.join()
            continuation.finish()
        }
        let patience = Task {
            try? await Task.sleep(for: .seconds(2))
            continuation.finish()
        }
        for await _ in ended {}
        patience.cancel()
    }
}

/// Owns the Avahi entry group of one service.
private final class AdvertisingTask: AvahiTask {
    private static let mostNames = 100

    private let service: ServiceAnnouncement
    private let onEvent: (AdvertisingEvent) -> Void
    private var group: OpaquePointer?
    private var name: String
    private var names = 0
    private(set) var hasFailed = false
    let deadline: ContinuousClock.Instant? = nil

    init(_ service: ServiceAnnouncement, _ onEvent: @escaping (AdvertisingEvent) -> Void) {
        self.service = service
        self.onEvent = onEvent
        name = service.name
    }

    func due() {}

    func unavailable(_ why: DiscoveryObstacle) { onEvent(.unavailable(why)) }

    func begin(_ client: OpaquePointer) {
        hasFailed = false
        name = service.name
        names = 0
        group = avahi_entry_group_new(
            client,
            { group, state, userData in
                guard let group, let userData else { return }
                Unmanaged<AdvertisingTask>.fromOpaque(userData).takeUnretainedValue().changed(group, state)
            }, Unmanaged.passUnretained(self).toOpaque())
        if let group { add(to: group) } else { hasFailed = true }
    }

    /// Withdraws the announcement.
    func end() {
        hasFailed = false
        guard let group else { return }
        self.group = nil
        avahi_entry_group_free(group)
    }

    private func changed(_ group: OpaquePointer, _ state: AvahiEntryGroupState) {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: onEvent(.announced(name: name))
        case AVAHI_ENTRY_GROUP_COLLISION:
            takeAnotherName()
            avahi_entry_group_reset(group)
            add(to: group)
        case AVAHI_ENTRY_GROUP_FAILURE: hasFailed = true
        default: break
        }
    }

    private func add(to group: OpaquePointer) {
        var text: UnsafeMutablePointer<AvahiStringList>?
        guard avahi_string_list_parse(service.text, service.text.count, &text) == 0 else {
            return onEvent(.refused("its description is too long"))
        }
        defer { avahi_string_list_free(text) }
        while names < Self.mostNames {
            let result = avahi_entry_group_add_service_strlst(
                group, service.interface.map(Int32.init) ?? Int32(AVAHI_IF_UNSPEC), Int32(AVAHI_PROTO_UNSPEC),
                AvahiPublishFlags(0), name, service.type, nil, nil, service.port, text)
            // Another program on this machine has already registered the name.
            if result == Int32(AVAHI_ERR_COLLISION) {
                takeAnotherName()
                continue
            }
            if result == 0, avahi_entry_group_commit(group) == 0 { return }
            let error = result == 0 ? avahi_client_errno(avahi_entry_group_get_client(group)) : result
            switch error {
            case Int32(AVAHI_ERR_INVALID_SERVICE_NAME), Int32(AVAHI_ERR_NOT_PERMITTED), Int32(AVAHI_ERR_ACCESS_DENIED):
                onEvent(.refused(String(cString: avahi_strerror(error))))
            default: hasFailed = true
            }
            return
        }
        onEvent(.refused("its name and \(Self.mostNames) others like it are taken"))
    }

    /// Takes the next alternative name: `Tower`, `Tower #2`, `Tower #3` ...
    private func takeAnotherName() {
        names += 1
        guard let other = avahi_alternative_service_name(name) else { return }
        name = String(cString: other)
        avahi_free(other)
    }
}
#endif
