import Testing

/// The behaviour of a home's router: rules of nftables on Linux' own NAT, which keeps a port if it can, and lets in only
/// what answers. Terms of RFC 4787 (mapping, filtering) and of RFC 3489 (cones).
package enum RouterKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Endpoint-independent mapping and filtering: what a machine has sent from is remembered in a map of nftables, and
    /// `dnat` brings every datagram for that port to it.
    case fullCone = "full cone"
    /// Endpoint-independent mapping, address-dependent filtering: `dnat` as above for those addresses alone to which
    /// that port has sent.
    case restricted
    /// Endpoint-independent mapping, address-and-port-dependent filtering: `masquerade` without more.
    case portRestricted = "port-restricted"
    /// Address-and-port-dependent mapping and filtering: `masquerade random,fully-random`, another port for each
    /// destination.
    case symmetric
    /// Drops UDP; port-restricted otherwise, as are those below.
    case noUDP = "without UDP"
    /// Drops everything but TCP to port 443.
    case only443 = "TCP 443 alone"
    /// Leads all TCP to a portal of its own, which answers HTTP and HTTPS by sending browsers to a login page; drops
    /// the rest.
    case portal = "captive portal"
    /// Drops everything; the router has an HTTP proxy that passes `CONNECT` to port 443.
    case proxy = "HTTP proxy alone"

    package var testDescription: String { rawValue }

    /// The ports of the router's own programs.
    package static let portalPort = 8080
    package static let securePortalPort = 8443
    package static let proxyPort = 3128

    /// The rules in nftables' language, in place of those before. The router's interfaces are `wan` and `lan`.
    var rules: String {
        """
        table ip home
        delete table ip home
        table ip6 home
        delete table ip6 home
        table ip home {
            map senders { type inet_service : ipv4_addr; size 1024; flags dynamic,timeout; timeout 2m; }
            set known { type inet_service . ipv4_addr; size 1024; flags dynamic,timeout; timeout 2m; }
            chain prerouting {
                type nat hook prerouting priority dstnat;
                \(arriving)
            }
            chain forward {
                type filter hook forward priority filter;
                \(blocking)
                \(remembering)
                ct status dnat accept
                iifname "wan" ct state new,invalid drop
            }
            chain input {
                type filter hook input priority filter;
                iifname "wan" ct state new,invalid drop
            }
            chain postrouting {
                type nat hook postrouting priority srcnat;
                oifname "wan" masquerade \(self == .symmetric ? "random,fully-random" : "")
            }
        }
        table ip6 home {
            chain forward {
                type filter hook forward priority filter;
                \(blocking)
                meta l4proto icmpv6 accept
                iifname "wan" ct state new,invalid drop
            }
            chain input {
                type filter hook input priority filter;
                meta l4proto icmpv6 accept
                iifname "wan" ct state new,invalid drop
            }
        }

        """
    }

    private var arriving: String {
        switch self {
        case .fullCone: "iifname \"wan\" meta l4proto udp dnat to udp dport map @senders"
        case .restricted: "iifname \"wan\" udp dport . ip saddr @known dnat to udp dport map @senders"
        case .portal:
            """
            iifname "lan" tcp dport 443 redirect to :\(Self.securePortalPort)
                    iifname "lan" meta l4proto tcp redirect to :\(Self.portalPort)
            """
        case .portRestricted, .symmetric, .noUDP, .only443, .proxy: ""
        }
    }

    private var remembering: String {
        guard self == .fullCone || self == .restricted else { return "" }
        return """
            iifname "lan" meta l4proto udp update @senders { udp sport : ip saddr }
                    iifname "lan" meta l4proto udp update @known { udp sport . ip daddr }
            """
    }

    /// The rules that drop, for IPv4 and IPv6.
    private var blocking: String {
        switch self {
        case .fullCone, .restricted, .portRestricted, .symmetric: ""
        case .noUDP: "meta l4proto udp drop"
        case .only443:
            """
            meta l4proto != tcp drop
                    iifname "lan" tcp dport != 443 drop
                    iifname "wan" tcp sport != 443 drop
            """
        case .portal, .proxy: "drop"
        }
    }
}
