import Testing

@testable import Nights

@Suite("The columns of a night's picture")
struct NightColumnsTests {
    private func part(_ values: [UInt8]) throws -> PatientNight.Part {
        PatientNight.Part(try #require(SyntheticNight.course(values)))
    }

    @Test("have the lowest and the highest value, the falls, and what is left out where that is most")
    func content() throws {
        let part = try part(curve((97, 50), (92, 20), (97, 30), (0, 60), (95, 40)))
        let columns = NightColumns(part, count: 10).columns
        #expect(columns[0].saturation == 97...97 && columns[0].pulse == 60...60)
        #expect(columns[2].saturation == 92...97 && columns[3].fall == 5)
        #expect(columns[5].exclusion == .noMeasurement && columns[5].saturation == nil)
        #expect(columns[9].exclusion == nil)
        #expect(NightColumns(part, count: 10).saturations == 92...97)
    }

    @Test("are as many as are wanted, also of a short night")
    func short() throws {
        let columns = NightColumns(try part([96, 95]), count: 7)
        #expect(columns.columns.count == 7)
        #expect(columns.columns.map { $0.saturation?.lowerBound } == [96, 96, 96, 96, 95, 95, 95])
        #expect(columns.column(of: columns.range.lowerBound) == 0)
        #expect(columns.column(of: columns.range.upperBound) == nil)
        #expect(columns.column(of: columns.range.upperBound - 1) == 6)
    }
}
