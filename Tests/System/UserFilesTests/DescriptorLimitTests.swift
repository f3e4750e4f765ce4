import Glibc
import Testing
import UserFiles

@Suite("The limit of open files")
struct DescriptorLimitTests {
    private var limit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    @Test("is never lowered, and raised no further than the system allows")
    func raising() {
        let before = limit
        #expect(DescriptorLimit.raise(to: 16) == 16)
        #expect(limit == before)
        let raised = DescriptorLimit.raise(to: .max)
        #expect(raised == limit)
        #expect(raised >= before)
    }
}
