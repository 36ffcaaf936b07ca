import HelioCore
import Testing

@Suite("A bucket of tokens")
struct TokenBucketTests {
    @Test("so many at once, then so many a second")
    func bucket() {
        var bucket = TokenBucket(burst: 3, perSecond: 2)
        func taken(_ bucket: inout TokenBucket, _ now: Instant) -> Int {
            (0..<10).count { _ in bucket.take(now: now) }
        }
        #expect(taken(&bucket, .zero) == 3)
        #expect(taken(&bucket, .zero + .milliseconds(499)) == 0)
        #expect(taken(&bucket, .zero + .milliseconds(500)) == 1)
        #expect(taken(&bucket, .zero + .milliseconds(1500)) == 2)
        // Unused tokens don't accumulate, and a clock that goes back adds none.
        #expect(taken(&bucket, .zero + .seconds(1000)) == 3)
        #expect(taken(&bucket, .zero + .seconds(999)) == 0)
        #expect(!bucket.isFull(now: .zero + .milliseconds(1_001_250)))
        #expect(bucket.isFull(now: .zero + .milliseconds(1_001_500)))
        #expect(TokenBucket(burst: 3, perSecond: 2).isFull(now: .zero))
    }
}
