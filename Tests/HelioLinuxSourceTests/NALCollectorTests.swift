import CX264
import Glibc
import Testing

@testable import HelioLinuxSource

/// x264's own functions on memory that ends at the permitted end of a NAL unit.
struct NALCollectorTests {
    /// Escaping a unit reads nothing beyond `readAhead`: the page after it is not readable.
    @Test(arguments: 1...300)
    func escapesWithinWhatItMayRead(size: Int) throws {
        var parameters = x264_param_t()
        x264_param_default(&parameters)
        parameters.i_width = 64
        parameters.i_height = 64
        parameters.i_threads = 1
        parameters.i_log_level = X264_LOG_NONE
        let encoder = try #require(helio_x264_open(&parameters))
        defer { x264_encoder_close(encoder) }

        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(memory, 2 * page) }
        #expect(mprotect(memory + page, page, PROT_NONE) == 0)
        let payload = (memory + page - NALCollector.readAhead - size).assumingMemoryBound(to: UInt8.self)
        // Without bytes to escape, x264 uses its fastest loop up to the end.
        payload.update(repeating: 0x55, count: size)

        var unit = x264_nal_t()
        unit.i_type = Int32(NAL_SLICE.rawValue)
        unit.b_long_startcode = 1
        unit.i_payload = Int32(size)
        unit.p_payload = payload
        let written = [UInt8](unsafeUninitializedCapacity: size * 3 / 2 + 5 + NALCollector.writeAhead) {
            x264_nal_encode(encoder, $0.baseAddress, &unit)
            $1 = Int(unit.i_payload)
        }
        #expect(written == [0, 0, 0, 1, UInt8(NAL_SLICE.rawValue)] + [UInt8](repeating: 0x55, count: size))
    }
}
