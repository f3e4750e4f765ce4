import Testing
@testable import Monitoring
