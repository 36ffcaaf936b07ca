/// The counterpart of `SuiteSealer`. It verifies the tag in constant time before the decryption, and checks the padding
/// only of authentic packets, so that there is no padding oracle.
final class SuiteOpener: AEADOpener {
    let leastOverhead: Int

    private let cipher: any CBCContext
    private let mac: any MACContext
    private let tagLength: Int

    init(_ suite: ProtectionSuite, cipher: any CBCContext, mac: any MACContext) {
        leastOverhead = suite.leastOverhead
        tagLength = suite.integrity.tagLength
        self.cipher = cipher
        self.mac = mac
    }

    func open(_ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce) -> Bool {
        let isOpen = authenticate(&packet, from: start, trailer: trailer, nonce: nonce) && decrypt(&packet, from: start)
        if !isOpen { packet.removeAll(keepingCapacity: true) }
        return isOpen
    }

    /// Verifies and removes the tag. Returns false if it is wrong, or if the packet lacks an initialisation vector or
    /// ciphertext of one or more whole blocks.
    private func authenticate(
        _ packet: inout [UInt8], from start: Int, trailer: UInt32?, nonce: AEADNonce
    ) -> Bool {
        let block = SuiteCipher.blockLength
        let end = packet.count - tagLength - block
        guard start >= 0, end - start >= block, (end - start) % block == 0 else { return false }
        var tag = InlineArray<32, UInt8>(repeating: 0)
        for offset in 0..<tagLength { tag[offset] = packet[end + block + offset] }
        packet.removeLast(tagLength)
        let code = mac.code(behind: nonce, in: &packet, trailer: trailer)
        return code.matches(tag.span.bytes.extracting(first: tagLength))
    }

    private func decrypt(_ packet: inout [UInt8], from start: Int) -> Bool {
        let end = packet.count - SuiteCipher.blockLength
        let vector = CounterBlock { packet[end + $0] }
        packet.removeLast(SuiteCipher.blockLength)
        guard (try? cipher.apply(to: &packet, range: start..<end, vector: vector)) != nil else { return false }
        let padding = Int(packet[end - 1])
        guard (1...SuiteCipher.blockLength).contains(padding) else { return false }
        for offset in end - padding..<end where Int(packet[offset]) != padding { return false }
        packet.removeLast(padding)
        return true
    }
}

extension MACContext {
    /// Computes the HMAC of packet, nonce and trailer. The nonce is appended to the packet only during the call, in the
    /// space for the tag, so that nothing is allocated.
    func code(behind nonce: AEADNonce, in packet: inout [UInt8], trailer: UInt32?) -> MACCode {
        for offset in nonce.indices { packet.append(nonce[offset]) }
        defer { packet.removeLast(nonce.count) }
        return code(over: packet.span.bytes, trailer: trailer)
    }
}
