import Testing
@testable import VitalDecoders

@Test func placeholder() {}
