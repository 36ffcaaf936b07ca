/// The searchable list of hosts: paired, found on this network, and recently used; each host is listed once
/// (requirement row 108).
public struct HostListModel: ScreenModel {
    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case open(ListedHost)
        case forget(ListedHost)
        /// Connects to the host whose address or name was typed in ``Field/address``.
        case openAddress
    }

    /// A text field of this screen.
    public enum Field: Hashable, Sendable {
        case search
        case address
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        /// The hosts announced on this network now.
        case found([ListedHost])
        /// The hosts that this device is paired with.
        case paired([ListedHost])
        /// The recently used hosts.
        case recent([ListedHost])
        /// Browsing the network has failed, for this reason.
        case searchFailed(String)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        case open(ListedHost)
        /// Connects to a host with the code that it shows: 16 characters of Crockford's base32, without dashes.
        case join(ListedHost, code: String)
        case forget(ListedHost)
    }

    /// The maximum number of paired, found and recent hosts each; further hosts are counted in ``drops``.
    public static let capacity = 200

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The number of hosts that were left out because of ``capacity``.
    public private(set) var drops = 0
    private var found: [ListedHost] = []
    private var paired: [ListedHost] = []
    private var recent: [ListedHost] = []
    private var failure: String?
    private var search = ""
    private var address = ""
    private var hasCodeAlone = false

    /// Makes a list without hosts.
    public init() {}

    /// Returns the host with a name, at its current address; `nil` if no host or several hosts have that name. Case is
    /// ignored.
    public func host(named name: String) -> ListedHost? {
        let named = (paired + found + recent).filter { $0.name.lowercased() == name.lowercased() }
        guard var host = named.first, named.allSatisfy({ $0.seems(host) }) else { return nil }
        if let here = found.first(where: { $0.seems(host) }) { host.address = here.address }
        return host
    }

    /// Replaces the found, paired or recent hosts, or stores the reason why browsing has failed.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .found(let hosts):
            found = bounded(hosts)
            failure = nil
        case .paired(let hosts): paired = bounded(hosts)
        case .recent(let hosts): recent = bounded(hosts)
        case .searchFailed(let reason): failure = reason
        }
    }

    /// Stores the text of a field. The text of `search` filters the list at once.
    public mutating func edit(_ field: Field, _ text: String) {
        switch field {
        case .search: search = text
        case .address:
            address = text
            hasCodeAlone = false
        }
    }

    /// Queues the effect of opening or forgetting a host; an empty address is ignored. A code in place of an address
    /// opens the only host on this network; among several, the user has to choose one.
    public mutating func press(_ action: Action, now: Duration) {
        switch action {
        case .open(let host): effects.append(.open(host))
        case .forget(let host): effects.append(.forget(host))
        case .openAddress:
            let trimmed = String(address.trimming(while: \.isWhitespace))
            guard !trimmed.isEmpty else { return }
            if let code = HostCode.grouped(trimmed) { return join(by: code) }
            address = ""
            effects.append(.open(ListedHost(name: trimmed, address: trimmed)))
        }
    }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, Field> {
        let known = paired.sorted(by: Self.comesFirst)
        let nearby = found.filter { host in !known.contains { $0.seems(host) } }
        let others = recent.filter { host in !(known + nearby).contains { $0.seems(host) } }
            .sorted { ($0.usedAt ?? 0, $1.name) > ($1.usedAt ?? 0, $0.name) }
        let lists: [(AppText, [ListedHost])] = [
            (.hostsPaired, known), (.hostsNearby, nearby.sorted(by: Self.comesFirst)), (.hostsRecent, others),
        ]
        var elements: [ScreenElement<Action, Field>] = []
        for (heading, hosts) in lists {
            let shown = hosts.filter(matches)
            if !shown.isEmpty { elements.append(.heading(Phrase(heading))) }
            for host in shown { elements += rows(of: host, canForget: heading == .hostsPaired) }
        }
        let isEmpty = lists.allSatisfy { $0.1.isEmpty }
        let message: Phrase? =
            !isEmpty && elements.isEmpty
            ? Phrase(.hostsNoMatch, search) : isEmpty ? Phrase(failure == nil ? .hostsSearching : .hostsNothing) : nil
        if let failure { elements.insert(.warning(Phrase(.hostsFailed, failure)), at: 0) }
        if !isEmpty { elements.insert(field(.search, .hostsSearch, search, ""), at: 0) }
        if hasCodeAlone { elements.append(.warning(Phrase(.hostsCodeAlone))) }
        elements.append(field(.address, .hostsAddress, address, "192.168.1.20"))
        elements.append(.button(.openAddress, label: Phrase(.hostsOpen), role: .standard))
        return Screen(Phrase(.hostsTitle), message: message, isBusy: isEmpty && failure == nil, elements)
    }

    private mutating func join(by code: String) {
        guard found.count == 1 else {
            hasCodeAlone = true
            return
        }
        address = ""
        effects.append(.join(found[0], code: code))
    }

    private func rows(of host: ListedHost, canForget: Bool) -> [ScreenElement<Action, Field>] {
        let here = found.first { $0.seems(host) }
        var opened = host
        if let here { opened.address = here.address }
        let detail =
            here == nil && canForget ? Phrase(.hostsNotHere, host.address) : Phrase.verbatim(opened.address)
        let row = ScreenElement<Action, Field>.row(.open(opened), label: .verbatim(host.name), detail: detail)
        let forget = ScreenElement<Action, Field>.button(
            .forget(host), label: Phrase(.hostsForget, host.name), role: .destructive)
        return canForget ? [row, forget] : [row]
    }

    private func field(
        _ field: Field, _ label: AppText, _ value: String, _ hint: String
    ) -> ScreenElement<Action, Field> {
        .field(field, label: Phrase(label), value: value, placeholder: hint, isSecret: false)
    }

    private func matches(_ host: ListedHost) -> Bool {
        let wanted = search.trimming(while: \.isWhitespace).lowercased()
        return wanted.isEmpty || host.name.lowercased().contains(wanted) || host.address.lowercased().contains(wanted)
    }

    private mutating func bounded(_ hosts: [ListedHost]) -> [ListedHost] {
        drops += max(0, hosts.count - Self.capacity)
        return Array(hosts.prefix(Self.capacity))
    }

    private static func comesFirst(_ one: ListedHost, _ other: ListedHost) -> Bool {
        (one.name.lowercased(), one.address) < (other.name.lowercased(), other.address)
    }
}
