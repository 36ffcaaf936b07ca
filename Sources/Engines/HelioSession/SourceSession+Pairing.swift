package import HelioAdmission
package import HelioCore
import HelioProtection
package import HelioRTSP

extension SourceSession {
    /// Handles a pairing message; a message out of order ends the pairing.
    package func pair(_ header: String, _ request: RTSPRequest, host: any SessionHost, now: Instant) {
        do throws(PairingDesk.Refusal) {
            guard let step = PairingHeader(header) else { throw .malformed }
            switch step {
            case .begin(let commitment, let name):
                guard state.isStranger else { throw .outOfOrder }
                guard host.hasRoomForDevice else { throw .tooManyDevices }
                let nonce = try host.pairing.begin(
                    id, commitment: commitment, name: name, from: address, now: now, random: &host.random)
                beginPairing(until: now + PairingDesk.revealTime)
                respond(.unauthorized, to: request, ["WWW-Authenticate": PairingHeader.nonce(nonce).value])
            case .reveal(let nonce):
                let question = try host.pairing.reveal(id, nonce: nonce)
                beginPairing(until: now + PairingDesk.compareTime)
                respond(.unauthorized, to: request, ["WWW-Authenticate": PairingHeader.compare.value])
                demand(.event(.pairingAsked(question)))
            case .confirm(let renewal):
                if let renewal { host.pairing.renew(id, renewal, among: host.desk.devices) }
                let device = try host.pairing.confirm(id, random: &host.random)
                confirmation = request
                if let device { grant(device, host: host, now: now) }
            case .code(let nonce, let proof, let name, let renewal):
                guard let hostNonce = takeNonce() else { throw .outOfOrder }
                guard host.hasRoomForDevice else { throw .tooManyDevices }
                let (device, hostProof) = try host.pairing.judge(
                    proof: proof, viewerNonce: nonce, hostNonce: hostNonce, name: name,
                    allowsControl: host.allowsControl, renewal: renewal, among: host.desk.devices, from: address,
                    now: now, random: &host.random)
                confirmation = request
                grant(device, hostProof: hostProof, host: host, now: now)
            case .nonce, .compare: throw .malformed
            }
        } catch {
            confirmation = request
            refusePairing(error, host: host, now: now)
        }
    }

    /// Handles the answer of the host's user to a pairing question.
    package func answerPairing(_ answer: PairingDesk.Answer, host: any SessionHost, now: Instant) {
        do throws(PairingDesk.Refusal) {
            if let device = try host.pairing.answer(id, answer, random: &host.random) {
                grant(device, host: host, now: now)
            }
        } catch {
            refusePairing(error, host: host, now: now)
        }
    }

    func pairingTimedOut(host: any SessionHost, now: Instant) { refusePairing(.timedOut, host: host, now: now) }

    /// Grants a pairing. The viewer then connects again, as this connection was not authenticated.
    private func grant(_ device: PairedDevice, hostProof: [UInt8]? = nil, host: any SessionHost, now: Instant) {
        var device = device
        device.kind = .window
        host.add(device)
        demand(.event(.paired(device, address: address)))
        var headers: RTSPHeaders = [PairingGrant.headerName: PairingGrant(device, hostName: host.name).value]
        tellPlaces(of: host, in: &headers)
        if let hostProof { headers.append("Heliograph-Proof", Hexadecimal.text(hostProof)) }
        respond(.ok, to: confirmation, headers)
        end(nil, close: true, now: now)
    }

    /// Tells a paired device how the host is reached from any network, and how it is woken.
    func tellPlaces(of host: any SessionHost, in headers: inout RTSPHeaders) {
        if let place = host.rendezvous { headers.append(HostRendezvous.headerName, place.text) }
        if let wake = host.wake { headers.append(WakeAddresses.headerName, wake.text) }
    }

    private func refusePairing(_ refusal: PairingDesk.Refusal, host: any SessionHost, now: Instant) {
        host.pairing.count(refusal)
        demand(viewer.refused(refusal))
        // Without a pending request there is no response to send; closing the connection has to suffice.
        if let confirmation { respond(.forbidden, to: confirmation, ["Heliograph-Refusal": refusal.rawValue]) }
        end(nil, close: true, now: now)
    }
}
