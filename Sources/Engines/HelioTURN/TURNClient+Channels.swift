import HelioCore
import HelioSTUN

// Channels (RFC 8656 section 12).

extension TURNClient {
    /// Reserves a channel number for a peer, to be bound by `ask`, unless the limit of channels is reached.
    func wantChannel(_ index: Int) {
        guard peers.count(where: { $0.channel != nil }) < settings.maximumChannels else { return }
        // The loop ends, as there are many more channel numbers than channels.
        while peers.contains(where: { $0.channel?.number == nextChannel }) { advanceChannel() }
        peers[index].channel = TURNPeer.Channel(number: nextChannel)
        advanceChannel()
    }

    private func advanceChannel() {
        nextChannel = nextChannel == ChannelData.channels.upperBound ? ChannelData.channels.lowerBound : nextChannel + 1
    }

    func settleChannel(
        _ number: UInt16, _ peer: TransportAddress, _ request: TURNRequest, _ outcome: TURNRequest.Outcome,
        _ now: Instant
    ) {
        guard let index = peers.firstIndex(where: { $0.address == peer && $0.channel?.number == number })
        else { return }
        switch outcome {
        case .success:
            peers[index].channel?.step = .bound(
                renewedAt: request.startedAt + settings.channelLifetime - settings.renewalMargin)
            peers[index].channel?.expiresAt = request.startedAt + settings.channelLifetime
        case .refused(STUNErrorCode.allocationMismatch, _): fail(.allocationLost)
        // Data is sent in Send indications instead.
        case .refused:
            peers[index].channel?.step = .resting(until: now + settings.channelRefusalPause)
            peers[index].channel?.expiresAt = nil
        case .timedOut, .forged:
            let isValid = peers[index].channel?.isValid(now) ?? false
            peers[index].channel?.step = isValid ? .wanted : .resting(until: now + settings.channelRefusalPause)
        }
    }

    func keepChannels(_ now: Instant) {
        guard isAllocated else { return }
        for index in peers.indices {
            switch peers[index].channel?.step {
            case .bound(let renewal) where renewal <= now:
                if now < peers[index].usedAt + settings.channelIdle {
                    peers[index].channel?.step = .wanted
                } else {
                    let end = peers[index].channel?.expiresAt ?? now
                    peers[index].channel?.step = .resting(until: end + settings.channelQuarantine)
                }
            case .resting(let end) where end <= now: peers[index].channel = nil
            default: break
            }
        }
    }

    var channelDeadline: Deadline? {
        peers.reduce(nil as Deadline?) { earliest, peer in
            .earliest(earliest, (peer.channel?.wakesAt).map { Deadline(at: $0, why: "renewal of channel") })
        }
    }
}
