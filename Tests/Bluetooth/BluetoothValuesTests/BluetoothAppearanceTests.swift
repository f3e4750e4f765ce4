import BluetoothValues
import Testing

@Suite("Appearances of devices")
struct BluetoothAppearanceTests {
    @Test(
        "a number is a category and a subcategory, with a name",
        arguments: [
            (0x0341, 13, 1, "heart rate belt", "heart rate sensor"),
            (0x0340, 13, 0, "heart rate sensor", "heart rate sensor"),
            (0x0382, 14, 2, "wrist blood pressure monitor", "blood pressure monitor"),
            (0x0C41, 49, 1, "fingertip pulse oximeter", "pulse oximeter"),
            (0x0C80, 50, 0, "weight scale", "weight scale"),
            (0x0D44, 53, 4, "patch insulin pump", "insulin pump"),
            // A subcategory that has no name here.
            (0x0C81, 50, 1, "weight scale", "weight scale"),
        ] as [(UInt16, UInt16, UInt8, String, String)])
    func names(number: UInt16, category: UInt16, subcategory: UInt8, name: String, categoryName: String) {
        let appearance = BluetoothAppearance(rawValue: number)
        #expect(appearance.category == category)
        #expect(appearance.subcategory == subcategory)
        #expect(appearance.name == name)
        #expect(appearance.categoryName == categoryName)
        #expect(BluetoothAppearance(category: category, subcategory: subcategory) == appearance)
    }

    @Test("an unknown number is kept and has no name")
    func unknown() {
        let appearance: BluetoothAppearance = 0xFFFF
        #expect(appearance.name == nil)
        #expect(appearance.description == "0xFFFF")
        #expect(BluetoothAppearance.heartRateBelt.description == "0x0341 heart rate belt")
    }

    @Test("every number has the same parts as the one that is made of them, and is a kind of its category only")
    func parts() {
        for number in UInt16.min...UInt16.max {
            let appearance = BluetoothAppearance(rawValue: number)
            let (category, subcategory) = (appearance.category, appearance.subcategory)
            guard BluetoothAppearance(category: category, subcategory: subcategory) == appearance,
                appearance.isKind(of: BluetoothAppearance(category: category)),
                !appearance.isKind(of: BluetoothAppearance(category: category ^ 1)), appearance.isKind(of: appearance)
            else {
                Issue.record("\(number)")
                return
            }
        }
        #expect(!BluetoothAppearance.bloodPressureMonitor.isKind(of: .armBloodPressureMonitor))
    }

    @Test("parts that are too large lose their upper bits")
    func largeParts() {
        #expect(BluetoothAppearance(category: 0xFC0E, subcategory: 0xC1) == .armBloodPressureMonitor)
    }
}
