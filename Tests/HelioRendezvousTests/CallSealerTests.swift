import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("Sealed calls")
struct CallSealerTests {
    private static func firstEnvelope() throws -> [UInt8] { try SealedEnd.ringer().seal([1]) }

    @Test("Messages arrive in both directions, with the documented overhead")
    func bothWays() throws {
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        let first = try ringer.seal([1, 2, 3])
        #expect(first.count == 16 + 8 + 3 + 16)
        #expect(try host.open(first) == [1, 2, 3])
        for round in 0..<5 {
            let down = try host.seal([4, UInt8(round)])
            #expect(down.count == (round == 0 ? 16 : 0) + 8 + 2 + 16)
            #expect(try ringer.open(down) == [4, UInt8(round)])
            let up = try ringer.seal([5, UInt8(round)])
            #expect(up.count == 8 + 2 + 16)
            #expect(try host.open(up) == [5, UInt8(round)])
        }
    }

    @Test("A ringer may send more before the host answers, and a host before the ringer speaks again")
    func early() throws {
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        let ups = [try ringer.seal([1]), try ringer.seal([2]), try ringer.seal([])]
        #expect(try host.open(ups[0]) == [1])
        let downs = [try host.seal([8]), try host.seal([9])]
        #expect(try host.open(ups[1]) == [2])
        #expect(try ringer.open(downs[0]) == [8])
        let late = try ringer.seal([3])
        #expect(try host.open(ups[2]) == [])
        #expect(try host.open(late) == [3])
        #expect(try ringer.open(downs[1]) == [9])
    }

    @Test("Both ends derive the same secret for the links, once they know both nonces")
    func links() throws {
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        #expect(ringer.linkSecret == nil && host.linkSecret == nil && host.ringerNonce == nil)
        _ = try host.open(try ringer.seal([1]))
        #expect(ringer.linkSecret == nil && host.linkSecret?.count == 32)
        #expect(host.ringerNonce == ringer.ringerNonce)
        _ = try ringer.open(try host.seal([1]))
        #expect(ringer.linkSecret == host.linkSecret)
        let (other, answerer) = (try SealedEnd.ringer(seed: 1), try SealedEnd.host(seed: 3))
        _ = try answerer.open(try other.seal([1]))
        #expect(answerer.linkSecret != host.linkSecret, "a host's nonce is part of it")
    }

    @Test("A host can't speak first")
    func hostFirst() throws {
        let host = try SealedEnd.host()
        #expect(throws: EnvelopeError.tooEarly) { try host.seal([1]) }
    }

    @Test("Another secret or another device's host opens nothing")
    func otherKeys() throws {
        let first = try Self.firstEnvelope()
        let wrongSecret = try SealedEnd.host(SecretBytes(Array(2...21)))
        #expect(throws: EnvelopeError.notAuthentic) { try wrongSecret.open(first) }
        let wrongDevice = try SealedEnd.host(SealedEnd.secret, RendezvousID([UInt8](repeating: 8, count: 16))!)
        #expect(throws: EnvelopeError.notAuthentic) { try wrongDevice.open(first) }
    }

    @Test("A server that answers for another device is found out by the ringer")
    func otherDevice() throws {
        let other = RendezvousID([UInt8](repeating: 8, count: 16))!
        let (toRight, toOther) = (try SealedEnd.ringer(), try SealedEnd.ringer(SealedEnd.secret, other))
        let host = try SealedEnd.host(SealedEnd.secret, other)
        _ = try toRight.seal([1])
        _ = try host.open(try toOther.seal([1]))
        let answer = try host.seal([2])
        #expect(throws: EnvelopeError.notAuthentic) { try toRight.open(answer) }
    }

    @Test("An end's own envelopes, played back to it, are refused")
    func reflected() throws {
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        let first = try ringer.seal([1])
        let mirror = try SealedEnd.ringer()
        _ = try mirror.seal([1])
        #expect(throws: EnvelopeError.notAuthentic) { try mirror.open(first) }
        _ = try host.open(first)
        _ = try host.seal([2])
        let own = try host.seal([3])
        // The counter of the host's second envelope is the next one that the host expects.
        #expect(throws: EnvelopeError.notAuthentic) { try host.open(own) }
    }

    @Test("The answer of another call is refused, though everything else is the same")
    func otherCall() throws {
        let (ringer, host) = (try SealedEnd.ringer(seed: 1), try SealedEnd.host())
        _ = try host.open(try ringer.seal([1]))
        let answer = try host.seal([2])
        let later = try SealedEnd.ringer(seed: 9)
        _ = try later.seal([1])
        #expect(throws: EnvelopeError.notAuthentic) { try later.open(answer) }
    }

    @Test(
        "A repeated, left out or exchanged envelope ends the call",
        arguments: [[0, 0], [0, 2], [0, 1, 1], [1], [0, 2, 1]])
    func order(order: [Int]) throws {
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        let envelopes = [try ringer.seal([0]), try ringer.seal([1]), try ringer.seal([2])]
        var failure: EnvelopeError?
        for index in order {
            do throws(EnvelopeError) { _ = try host.open(envelopes[index]) } catch {
                failure = error
                break
            }
        }
        #expect(failure != nil)
        #expect(throws: EnvelopeError.ended) { try host.open(envelopes[1]) }
        #expect(throws: EnvelopeError.ended) { try host.seal([1]) }
    }

    @Test("An envelope that was cut off is refused, at every length; so is one with a changed bit, at every byte")
    func changed() throws {
        let first = try Self.firstEnvelope()
        for count in 0..<first.count {
            let host = try SealedEnd.host()
            #expect(throws: EnvelopeError.self) { try host.open(Array(first.prefix(count))) }
            var changed = first
            changed[count] ^= 0x10
            let other = try SealedEnd.host()
            #expect(throws: EnvelopeError.self) { try other.open(changed) }
        }
        let (ringer, host) = (try SealedEnd.ringer(), try SealedEnd.host())
        _ = try host.open(try ringer.seal([1]))
        let short: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
        #expect(throws: EnvelopeError.truncated) { try host.open(short) }
    }

    @Test("The longest message fits a frame, a longer one is refused")
    func longest() throws {
        let ringer = try SealedEnd.ringer()
        let message = [UInt8](repeating: 3, count: CallSealer.longestMessage)
        #expect(throws: EnvelopeError.tooLong) { try ringer.seal(message + [1]) }
        #expect(try ringer.seal(message).count == RendezvousLimits.message)
    }

    @Test("A host knows a call that is played to it again")
    func replayed() throws {
        var replays = ReplayGuard()
        let first = try Self.firstEnvelope()
        for isRepetition in [false, true] {
            let host = try SealedEnd.host(seed: isRepetition ? 5 : 6)
            _ = try host.open(first)
            let nonce = try #require(host.ringerNonce)
            let isNew = replays.accept(nonce)
            #expect(isNew != isRepetition)
        }
    }

    /// A host forgets the nonces of calls when it starts anew, and the oldest ones later.
    @Test("A ringer's first envelope, played to a host that has forgotten it, makes no keystream twice")
    func forgotten() throws {
        let first = try Self.firstEnvelope()
        let (before, after) = (try SealedEnd.host(seed: 5), try SealedEnd.host(seed: 6))
        #expect(try before.open(first) == (try after.open(first)))
        let message = [UInt8](repeating: 0, count: 32)
        let envelopes = [try before.seal(message), try after.seal(message)].map { Array($0.dropFirst(24)) }
        #expect(envelopes[0] != envelopes[1])
        #expect(before.linkSecret != nil && before.linkSecret != after.linkSecret)
    }

    @Test("A host's nonce that the server has exchanged is found out, and leaves no keys")
    func exchangedNonce() throws {
        let (ringer, host, other) = (try SealedEnd.ringer(), try SealedEnd.host(), try SealedEnd.host(seed: 4))
        let first = try ringer.seal([1])
        _ = try host.open(first)
        _ = try other.open(first)
        let mixed = Array(try other.seal([2]).prefix(16)) + Array(try host.seal([2]).dropFirst(16))
        #expect(throws: EnvelopeError.notAuthentic) { try ringer.open(mixed) }
        #expect(ringer.linkSecret == nil)
        #expect(throws: EnvelopeError.ended) { try ringer.seal([3]) }
    }

    @Test("The memory of nonces forgets the oldest, and no newer one")
    func memory() {
        var replays = ReplayGuard()
        let nonces = (0...ReplayGuard.capacity).map { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let entered = nonces.map { replays.accept($0) }
        #expect(!entered.contains(false))
        let later = [1, ReplayGuard.capacity, 0].map { replays.accept(nonces[$0]) }
        #expect(later == [false, false, true])
    }

    @Test("A tag is not a token: what a host publishes rings nobody")
    func tags() throws {
        let token = try CallKeys.token(of: SealedEnd.secret, for: SealedEnd.device, SealedEnd.crypto)
        let tag = try CallKeys.tag(of: token, SealedEnd.crypto)
        #expect(tag.bytes != token.bytes)
        let stolen = try #require(RingToken(tag.bytes))
        #expect(try CallKeys.tag(of: stolen, SealedEnd.crypto) != tag)
        #expect(try CallKeys.token(of: SecretBytes(Array(2...21)), for: SealedEnd.device, SealedEnd.crypto) != token)
        #expect(try CallKeys.token(of: SealedEnd.secret, for: SealedEnd.device, SealedEnd.crypto) == token)
    }

    /// With one token for all devices, a guess of a secret could be compared with all tags of a stolen store at once.
    @Test("A secret has another token for each device")
    func devices() throws {
        let other = try #require(RendezvousID([UInt8](repeating: 8, count: 16)))
        let token = try CallKeys.token(of: SealedEnd.secret, for: SealedEnd.device, SealedEnd.crypto)
        #expect(try CallKeys.token(of: SealedEnd.secret, for: other, SealedEnd.crypto) != token)
    }

    /// The values were computed with HKDF (RFC 5869) of Python's `hmac`, so that other programs can rely on them.
    @Test("Tokens are HKDF's")
    func vectors() throws {
        let token = try CallKeys.token(of: SealedEnd.secret, for: SealedEnd.device, SealedEnd.crypto)
        #expect(Hexadecimal.text(token.bytes) == "50984e5c04d72f2e36f9b83113c4220c")
    }
}
