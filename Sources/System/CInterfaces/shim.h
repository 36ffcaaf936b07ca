// Lists this machine's addresses with their interfaces' flags. Written in C, because Swift could read the nested socket
// addresses by casts only.
#pragma once
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/// An address of an interface: the first `length` of `bytes`, 4 or 16, in network order.
struct helio_interface_address {
    char name[IF_NAMESIZE];
    uint8_t bytes[16];
    uint8_t length;
    /// 1 if the interface is switched on.
    uint8_t is_up;
    /// 1 if the interface is connected to a network, an access point or a peer.
    uint8_t has_carrier;
    /// 1 for a link to one other machine, such as a VPN tunnel.
    uint8_t is_point_to_point;
    /// 1 if `broadcast` is the IPv4 address of all machines on the interface's network, in network order.
    uint8_t has_broadcast;
    uint8_t broadcast[4];
};

/// Fills in an entry's broadcast address: that of the interface or, where none was set, the network's last address.
static inline void helio_broadcast_address(const struct ifaddrs *each, struct helio_interface_address *entry) {
    if ((each->ifa_flags & IFF_BROADCAST) == 0) return;
    const uint32_t own = ((const struct sockaddr_in *)(const void *)each->ifa_addr)->sin_addr.s_addr;
    uint32_t all = 0, mask = UINT32_MAX;
    if (each->ifa_broadaddr != NULL && each->ifa_broadaddr->sa_family == AF_INET)
        all = ((const struct sockaddr_in *)(const void *)each->ifa_broadaddr)->sin_addr.s_addr;
    if (each->ifa_netmask != NULL)
        mask = ((const struct sockaddr_in *)(const void *)each->ifa_netmask)->sin_addr.s_addr;
    // Networks of one or two addresses have no broadcast address (RFC 3021).
    if (ntohl(~mask) <= 1) return;
    // Linux gives the interface's own address where no broadcast address was set.
    if (all == 0 || all == own) all = own | ~mask;
    memcpy(entry->broadcast, &all, 4);
    entry->has_broadcast = 1;
}

/// Fills in up to `room` addresses of IPv4 and IPv6, in the system's order.
///
/// Returns the number of addresses; 0 if the system does not list them.
static inline int helio_interface_addresses(struct helio_interface_address *list, int room) {
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0) return 0;
    int count = 0;
    for (const struct ifaddrs *each = all; each != NULL && count < room; each = each->ifa_next) {
        if (each->ifa_addr == NULL || each->ifa_name == NULL) continue;
        struct helio_interface_address *entry = &list[count];
        memset(entry, 0, sizeof *entry);
        switch (each->ifa_addr->sa_family) {
        case AF_INET:
            entry->length = 4;
            memcpy(entry->bytes, &((const struct sockaddr_in *)(const void *)each->ifa_addr)->sin_addr, 4);
            helio_broadcast_address(each, entry);
            break;
        case AF_INET6:
            entry->length = 16;
            memcpy(entry->bytes, &((const struct sockaddr_in6 *)(const void *)each->ifa_addr)->sin6_addr, 16);
            break;
        default: continue;
        }
        strncpy(entry->name, each->ifa_name, sizeof entry->name - 1);
        entry->is_up = (each->ifa_flags & IFF_UP) != 0;
        entry->has_carrier = (each->ifa_flags & IFF_RUNNING) != 0;
        entry->is_point_to_point = (each->ifa_flags & IFF_POINTOPOINT) != 0;
        count += 1;
    }
    freeifaddrs(all);
    return count;
}
