import JSON

/// Devices that are written in the language of scenarios, from public descriptions of their protocols.
///
/// A scenario names them as `kind`; its own fields replace those here.
enum BuiltInDevice {
    /// The fields of a kind; `nil` for a kind that is not in this list.
    static func object(_ kind: SensorDescription.Kind) throws(ScenarioError) -> ScenarioObject? {
        guard let text = texts[kind] else { return nil }
        let file = "built-in \(kind.rawValue)"
        guard let value = try? JSON5Parser.parse(text) else {
            // Every text is parsed by the tests, so this cannot be reached in a tested program.
            preconditionFailure("\(file) cannot be parsed")
        }
        return try ScenarioNode(value: value, field: "", file: file).object(SensorReader.fields)
    }

    static func contains(_ kind: SensorDescription.Kind) -> Bool { texts[kind] != nil }

    /// The packet of a MiaoMiao, sent with or without a request.
    private static let miaoMiaoPacket =
        "28 01 6B {u16be seconds/60} 20 93 69 05 00 A0 07 E0 {u8 charge} 00 07 10 01 {libre-memory glucose} 29"

    private static let texts = others.merging(withWaves) { text, _ in text }

    private static let others: [SensorDescription.Kind: String] = [
        // Blood Pressure Service: wakes up and measures, accepts the client's time, sends its records and sleeps.
        .bloodPressureMonitor: """
        {
          advertises: ['1810'], appearance: 0x0380, battery: 87, sleepsAfter: 10,
          quantities: { systolic: 121, diastolic: 79, mean: 93, pulse: 68 },
          services: [
            {
              uuid: '1810',
              characteristics: [
                { uuid: '2A35', flags: ['indicate'] },
                { uuid: '2A36', flags: ['notify'] },
                { uuid: '2A49', flags: ['read'], value: '04 00' },
              ],
            },
            { uuid: '1805', characteristics: [{ uuid: '2A2B', flags: ['read', 'write'], value: '{time} 00 00 00' }] },
          ],
          records: {
            from: '2A35',
            octets: '1E {sfloat systolic} {sfloat diastolic} {sfloat mean} {time} {sfloat pulse} 01 00 00',
          },
          // It inflates to a little above the systolic pressure, and deflates.
          conversation: [{
            measured: true,
            answers: [
              { from: '2A36', octets: '00 {sfloat systolic/3} FF 07 FF 07', after: 1 },
              { from: '2A36', octets: '00 {sfloat systolic*0.7} FF 07 FF 07', after: 1 },
              { from: '2A36', octets: '00 {sfloat systolic+30} FF 07 FF 07', after: 1 },
              { from: '2A36', octets: '00 {sfloat mean} FF 07 FF 07', after: 2 },
              { from: '2A36', octets: '00 {sfloat diastolic-15} FF 07 FF 07', after: 1 },
            ],
          }],
        }
        """,
        // Glucose Service with twenty records, four a day.
        .glucoseMeter: """
        {
          advertises: ['1808'], appearance: 0x0400, battery: 80, sleepsAfter: 20,
          quantities: { glucose: { value: 118, noise: 30 } },
          services: [{
            uuid: '1808',
            characteristics: [
              { uuid: '2A18', flags: ['notify'] },
              { uuid: '2A34', flags: ['notify'] },
              { uuid: '2A51', flags: ['read'], value: '00 00' },
              { uuid: '2A52', flags: ['write', 'indicate'] },
              { uuid: '2A08', flags: ['read', 'write'], value: '{time}' },
            ],
          }],
          records: {
            from: '2A18', octets: '13 {u16 sequence} {time} 00 00 {sfloat glucose e-5} 11',
            context: { from: '2A34', octets: '02 {u16 sequence} 01' },
            control: '2A52', count: 20, every: 21600,
          },
        }
        """,
        // Continuous Glucose Monitoring Service with E2E-CRC, a value every minute, and those of the last hour.
        .continuousGlucose: """
        {
          advertises: ['181F'], interval: 60, battery: 90,
          quantities: { glucose: [[-3600, 104], [0, 122], [1200, 158], [3600, 110]], trend: 0.3 },
          services: [{
            uuid: '181F',
            characteristics: [
              {
                uuid: '2AA7', flags: ['notify'],
                values: ['0A 01 {sfloat glucose} {u16 seconds/60+100} {sfloat trend*10 e-1} {e2e-crc}'],
                offBody: ['09 80 FF 07 {u16 seconds/60+100} 08 {e2e-crc}'],
              },
              { uuid: '2AA8', flags: ['read'], value: '00 10 00 59 {e2e-crc}' },
              { uuid: '2AA9', flags: ['read'], value: '{u16 seconds/60+100} 00 00 00 {e2e-crc}' },
              { uuid: '2A52', flags: ['write', 'indicate'] },
            ],
          }],
          records: {
            from: '2AA7', octets: '0A 01 {sfloat glucose} {u16 sequence} {sfloat trend*10 e-1} {e2e-crc}',
            control: '2A52', count: 60, every: 60, first: 40, continues: true,
          },
        }
        """,
        // A bridge on a FreeStyle Libre 1, which sends its memory on request, and every five minutes.
        .miaoMiao: """
        {
          advertises: ['6E400001-B5A3-F393-E0A9-E50E24DCCA9E'], interval: 300,
          quantities: { glucose: [[-3600, 96], [-900, 104], [0, 122], [1200, 158], [3600, 110]], charge: 92 },
          services: [{
            uuid: '6E400001-B5A3-F393-E0A9-E50E24DCCA9E',
            characteristics: [
              { uuid: '6E400002-B5A3-F393-E0A9-E50E24DCCA9E', flags: ['write', 'write-without-response'] },
              {
                uuid: '6E400003-B5A3-F393-E0A9-E50E24DCCA9E', flags: ['notify'], pieces: 20,
                values: ['\(miaoMiaoPacket)'],
                offBody: ['34'],
              },
            ],
          }],
          conversation: [
            {
              written: '6E400002-B5A3-F393-E0A9-E50E24DCCA9E', octets: 'F0', worn: true,
              answers: [{
                from: '6E400003-B5A3-F393-E0A9-E50E24DCCA9E', after: 0.5, pieces: 20,
                octets: '\(miaoMiaoPacket)',
              }],
            },
            {
              written: '6E400002-B5A3-F393-E0A9-E50E24DCCA9E', octets: 'F0', worn: false,
              answers: [{ from: '6E400003-B5A3-F393-E0A9-E50E24DCCA9E', octets: '34' }],
            },
            {
              written: '6E400002-B5A3-F393-E0A9-E50E24DCCA9E', octets: 'D1 ..',
              answers: [{ from: '6E400003-B5A3-F393-E0A9-E50E24DCCA9E', octets: 'D1 01' }],
            },
          ],
        }
        """,
        // An xBridge, which sends raw counts.
        .xDripBridge: """
        {
          advertises: ['FFE0'], interval: 300, quantities: { glucose: 118, charge: 75 },
          services: [{
            uuid: 'FFE0',
            characteristics: [{
              uuid: 'FFE1', flags: ['notify', 'write-without-response'],
              values: ['11 00 {u32 glucose*1000} {u32 glucose*1000} D2 {u8 charge} 12 34 56 00 01'],
            }],
          }],
        }
        """,
        // A G5, which is awake for some seconds every five minutes, and answers only a client that knows its
        // identifier.
        .dexcomTransmitter: """
        {
          advertises: ['FEBC'], sleepsAfter: 20, wakesEvery: 300, identifier: '4ABCDE', pairing: 'just-works',
          quantities: { glucose: [[0, 122], [1200, 158], [3600, 110]], trend: 0.3 },
          services: [{
            uuid: 'F8083532-849E-531C-C594-30F1F86A4EA5',
            characteristics: [
              { uuid: 'F8083534-849E-531C-C594-30F1F86A4EA5', flags: ['write', 'notify', 'indicate'], needsPairing: true },
              { uuid: 'F8083535-849E-531C-C594-30F1F86A4EA5', flags: ['read', 'write', 'indicate'] },
              { uuid: 'F8083536-849E-531C-C594-30F1F86A4EA5', flags: ['notify'], needsPairing: true },
            ],
          }],
          conversation: [
            {
              written: 'F8083535-849E-531C-C594-30F1F86A4EA5', octets: '01 .. .. .. .. .. .. .. .. ..',
              saves: { challenge: '{random 8}' },
              answers: [{
                from: 'F8083535-849E-531C-C594-30F1F86A4EA5',
                octets: '03 {dexcom-hash {request 1..9}} {saved challenge}',
              }],
            },
            {
              written: 'F8083535-849E-531C-C594-30F1F86A4EA5', octets: '04 {dexcom-hash {saved challenge}}',
              answers: [{ from: 'F8083535-849E-531C-C594-30F1F86A4EA5', octets: '05 01 01' }],
            },
            {
              written: 'F8083535-849E-531C-C594-30F1F86A4EA5', octets: '04 *',
              answers: [{ from: 'F8083535-849E-531C-C594-30F1F86A4EA5', octets: '05 00 02' }],
            },
            {
              written: 'F8083534-849E-531C-C594-30F1F86A4EA5', octets: '24 E6 64',
              answers: [{
                from: 'F8083534-849E-531C-C594-30F1F86A4EA5',
                octets: '25 00 {u32 seconds+7340000} C0 CF 6A 00 01 00 00 00 {crc16}',
              }],
            },
            {
              written: 'F8083534-849E-531C-C594-30F1F86A4EA5', octets: '30 53 36',
              answers: [{
                from: 'F8083534-849E-531C-C594-30F1F86A4EA5',
                octets: '31 00 {u32 seconds/300+2664} {u32 seconds+7340000} {u16 glucose} 06 {i8 trend*10} {crc16}',
              }],
            },
            {
              written: 'F8083534-849E-531C-C594-30F1F86A4EA5', octets: '22 20 04',
              answers: [{
                from: 'F8083534-849E-531C-C594-30F1F86A4EA5', octets: '23 00 2C 01 22 01 F4 01 05 1E {crc16}',
              }],
            },
            { written: 'F8083534-849E-531C-C594-30F1F86A4EA5', octets: '09', answers: [{ hangUp: true }] },
          ],
        }
        """,
        // Weight Scale Service.
        .weightScale: """
        {
          advertises: ['181D'], appearance: 0x0C80, sleepsAfter: 10, quantities: { weight: 72.4 },
          services: [
            {
              uuid: '181D',
              characteristics: [
                { uuid: '2A9D', flags: ['indicate'] },
                { uuid: '2A9E', flags: ['read'], value: '03 00 00 00' },
              ],
            },
            { uuid: '1805', characteristics: [{ uuid: '2A2B', flags: ['read', 'write'], value: '{time} 00 00 00' }] },
          ],
          records: { from: '2A9D', octets: '06 {u16 weight*200} {time} 01' },
        }
        """,
    ]
}
