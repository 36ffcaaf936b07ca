internal import HelioAdmission
public import HelioCore
private import HelioServing
private import NIOCore
private import NIOPosix

extension HostPairing {
    /// The longest time in which one of a link's addresses has to answer, if the host is on the same network.
    private static let addressTime: TimeAmount = .seconds(1)

    /// True if a text is a link with a rendezvous server, or a paired host's name with its server
    /// (`namesRendezvous`): then the host can be paired with from any network.
    public static func reachesAfar(_ text: String) -> Bool {
        if namesRendezvous(text) { return true }
        return (try? ShareLink(parsing: text))?.rendezvous != nil
    }

    /// Pairs from any network, with the host of a link that has a rendezvous server, or again with a paired host by
    /// `NAME@SERVER`. The link's or the pairing's secret only authenticates the call: a link still admits its viewer.
    /// On the same network, the host's address is used.
    ///
    /// - Parameters: those of `pair(with:code:name:confirm:)`.
    ///
    /// Throws the errors of that, and `invalidArgument` for a link without a rendezvous server.
    public static func pair(
        fromAfar text: String, code: String? = nil, name: String? = nil,
        confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> (host: String, allowsControl: Bool) {
        let link = namesRendezvous(text) ? try linkByRendezvous(text) : try ShareLink(parsing: text)
        let isHere = link.avoidsAddresses ? false : await answers(link)
        let result = try await pair(
            at: link.hosts, port: link.port, code, name, calling: isHere ? nil : link, confirm)
        return (result.grant.hostName, result.grant.allowsControl)
    }

    /// True if something listens at one of the link's addresses. The pairing then shows what it is.
    private static func answers(_ link: ShareLink) async -> Bool {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return await withTaskGroup(of: Bool.self) { group in
            for host in link.hosts {
                group.addTask {
                    let connecting = ClientBootstrap(group: loop).connectTimeout(addressTime)
                        .connect(host: host, port: Int(link.port))
                    guard let channel = try? await connecting.get() else { return false }
                    try? await channel.close()
                    return true
                }
            }
            for await isReached in group where isReached { return true }
            return false
        }
    }
}
