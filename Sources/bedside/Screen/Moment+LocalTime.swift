import Glibc
import Vitals

extension Moment {
    /// The local time's distance from UTC at this moment, in seconds, positive to the east.
    var localTimeOffset: Int {
        var seconds = time_t(wallMilliseconds / 1000)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }
}
