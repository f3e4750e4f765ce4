import Testing
@testable import CommandLineTool

@Test func placeholder() {}
