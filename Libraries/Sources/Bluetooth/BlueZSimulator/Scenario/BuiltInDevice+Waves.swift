/// The built-in oximeters and ECG recorders, which send a wave where their protocol has one.
extension BuiltInDevice {
    /// The rules of an O2Ring for the poll of its wave.
    private static func ringWave(_ choice: String, _ checksum: String, rate: Double) -> String {
        """
        {
          written: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', octets: 'AA 1B E4 00 00 01 00 \(choice) \(checksum)', worn: true,
          answers: [{
            from: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', pieces: 20,
            wave: { rate: \(rate), sample: '{u8 pulseWaveInverted*2|1}', count: \(Int(rate * 1.2)) },
            octets: '55 00 FF 00 00 {u16 sampleCount+12} {u8 oxygenSaturation} {u16 pulseRate} {u8 charge} 00 {u8 perfusion*10} {u8 lead} 00 00 00 {u16 sampleCount} {samples} {crc8}',
          }],
        },
        {
          written: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', octets: 'AA 1B E4 00 00 01 00 \(choice) \(checksum)', worn: false,
          answers: [{
            from: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', pieces: 20,
            octets: '55 00 FF 00 00 0C 00 00 00 00 {u8 charge} 00 00 00 00 00 00 00 00 {crc8}',
          }],
        }
        """
    }

    static let withWaves: [SensorDescription.Kind: String] = [
        // The O2Ring and its family, which answer polls.
        .oximeterRing: """
        {
          advertises: ['14839AC4-7D7E-415C-9A42-167340CF2339'], nights: [],
          quantities: { charge: 84, lead: 1, busyAnswers: 0, breakAfter: 0, breaks: 1, chunkDelay: 0 },
          services: [{
            uuid: '14839AC4-7D7E-415C-9A42-167340CF2339',
            characteristics: [
              { uuid: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', flags: ['write', 'write-without-response'] },
              { uuid: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', flags: ['notify'] },
            ],
          }],
          conversation: [
            {
              written: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', octets: 'AA 17 E8 00 00 00 00 1B', worn: true,
              answers: [{
                from: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', pieces: 20,
                octets: '55 00 FF 00 00 0D 00 {u8 oxygenSaturation} {u16 pulseRate} 00 00 00 00 {u8 charge} 00 00 {u8 perfusion*10} {u8 lead} 00 {crc8}',
              }],
            },
            {
              written: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', octets: 'AA 17 E8 00 00 00 00 1B', worn: false,
              answers: [{
                from: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', pieces: 20,
                octets: '55 00 FF 00 00 0D 00 00 00 00 00 00 00 00 {u8 charge} 00 00 00 00 00 {crc8}',
              }],
            },
            // The values and the wave, 125 or 62.5 samples a second; the octet 156 would be a mark, so samples are odd.
            \(ringWave("00", "5E", rate: 125)),
            \(ringWave("01", "59", rate: 62.5)),
          ],
        }
        """,
        // FS20F and Yuwell: a frame of values each second, and 50 frames of its wave in pairs.
        .fingertipOximeter: """
        {
          services: [{
            uuid: 'FFE0',
            characteristics: [{
              uuid: 'FFE4', flags: ['notify'],
              values: ['FE 0A 55 {u16be pulseRate} {u8 oxygenSaturation} {u16be perfusion*1000} {u8 sample&255} {sum 1}'],
              offBody: [''],
              wave: {
                rate: 50.04, count: 2, sample: 'FE 08 56 {u8 pulseWave} 00 {u8 pulseWave/7} {u8 sampleNumber&255} {sum 1}',
                offBody: 'FE 08 56 00 02 00 {u8 sampleNumber&255} {sum 1}',
              },
            }],
          }],
        }
        """,
        // My Oximeter, JPD-500F.
        .jumperOximeter: """
        {
          advertises: ['CDEACB80-5235-4C07-8846-93A37EE6B86D'],
          services: [{
            uuid: 'CDEACB80-5235-4C07-8846-93A37EE6B86D',
            characteristics: [{
              uuid: 'CDEACB81-5235-4C07-8846-93A37EE6B86D', flags: ['notify'],
              values: ['81 {u8 pulseRate} {u8 oxygenSaturation} {u8 perfusion*10}'],
              offBody: ['81 FF 7F 00'],
            }],
          }],
        }
        """,
        // BerryMed BM1000: a hundred packets a second, two of them in a notification.
        .bciOximeter: """
        {
          advertises: ['49535343-FE7D-4AE5-8FA9-9FAFD205E455'],
          services: [{
            uuid: '49535343-FE7D-4AE5-8FA9-9FAFD205E455',
            characteristics: [{
              uuid: '49535343-1E4D-4BD9-BA61-23C647249616', flags: ['notify'],
              wave: {
                rate: 100, count: 2, offBody: '80 00 50 7F 7F',
                sample: '{u8 beat<<6|136} {u8 pulseWave} {u8 pulseRate>>1&64|5} {u8 pulseRate&127} {u8 oxygenSaturation}',
              },
            }],
          }],
        }
        """,
        // Nonin 3150 and 3230, which send only after pairing.
        .noninOximeter: """
        {
          advertises: ['46A970E0-0D5F-11E2-8B5E-0002A5D5C51B'], pairing: 'just-works',
          services: [{
            uuid: '46A970E0-0D5F-11E2-8B5E-0002A5D5C51B',
            characteristics: [
              {
                uuid: '0AAD7EA0-0D60-11E2-8E3C-0002A5D5C51B', flags: ['notify'], needsPairing: true,
                values: ['0A 10 1E {u16be perfusion*100} {u16be sample} {u8 oxygenSaturation} {u16be pulseRate}'],
                offBody: ['0A 00 1E 00 00 {u16be sample} 7F 01 FF'],
              },
              // The wave, and the intervals between pulses with the perfusion index of each.
              {
                uuid: 'EC0A883A-4D24-11E7-B114-B2F933D5FE66', flags: ['notify'], needsPairing: true,
                wave: {
                  rate: 75, count: 25, sample: '{u16be pulseWave*400+8000}', frame: '35 {samples} {u16be frameNumber}',
                },
              },
              {
                uuid: '34E27863-76FF-4F8E-96F1-9E3993AA6199', flags: ['notify'], needsPairing: true,
                wave: {
                  rate: 'beats', count: 2, sample: '{u16be perfusion*100} {u16be beatInterval*10}',
                  frame: '0C {u16be frameNumber} 00 {samples}',
                },
              },
            ],
          }],
        }
        """,
        // O2Ring S and its relatives (OxyII), which answer polls for values and wave in one.
        .oximeterRingS: """
        {
          advertises: ['E8FB0001-A14B-98F9-831B-4E2941D01248'], nights: [],
          quantities: { charge: 84, lead: 1, busyAnswers: 0, breakAfter: 0, breaks: 1, chunkDelay: 0 },
          services: [{
            uuid: 'E8FB0001-A14B-98F9-831B-4E2941D01248',
            characteristics: [
              { uuid: 'E8FB0002-A14B-98F9-831B-4E2941D01248', flags: ['write-without-response'] },
              { uuid: 'E8FB0003-A14B-98F9-831B-4E2941D01248', flags: ['notify'] },
            ],
          }],
          conversation: [
            {
              written: 'E8FB0002-A14B-98F9-831B-4E2941D01248', octets: 'A5 04 FB 00 .. 00 00 {crc8}', worn: true,
              answers: [{
                from: 'E8FB0003-A14B-98F9-831B-4E2941D01248',
                wave: { rate: 125, sample: '{u8 pulseWaveInverted*2|1}', count: 150 },
                octets: 'A5 04 FB 01 {request 4..5} {u16 sampleCount+26} {u32 seconds} 02 {u8 lead} {u8 oxygenSaturation} {u8 perfusion*10} {u16 pulseRate} 00 00 00 {u8 charge} 00 00 00 00 00 00 {u32 sampleNumber} {u16 sampleCount} {samples} {crc8}',
              }],
            },
            {
              written: 'E8FB0002-A14B-98F9-831B-4E2941D01248', octets: 'A5 04 FB 00 .. 00 00 {crc8}', worn: false,
              answers: [{
                from: 'E8FB0003-A14B-98F9-831B-4E2941D01248',
                octets: 'A5 04 FB 01 {request 4..5} 1A 00 {u32 seconds} 02 00 00 00 00 00 00 00 00 {u8 charge} 00 00 00 00 00 00 00 00 00 00 00 00 {crc8}',
              }],
            },
            // The battery, and the end of pushes that nobody asked for.
            {
              written: 'E8FB0002-A14B-98F9-831B-4E2941D01248', octets: 'A5 E4 1B 00 .. 00 00 {crc8}',
              answers: [{
                from: 'E8FB0003-A14B-98F9-831B-4E2941D01248',
                octets: 'A5 E4 1B 01 {request 4..5} 04 00 00 {u8 charge} 7A 0F {crc8}',
              }],
            },
            {
              written: 'E8FB0002-A14B-98F9-831B-4E2941D01248', octets: 'A5 10 EF 00 .. 01 00 .. {crc8}',
              answers: [{
                from: 'E8FB0003-A14B-98F9-831B-4E2941D01248', octets: 'A5 10 EF 01 {request 4..5} 00 00 {crc8}',
              }],
            },
          ],
        }
        """,
        // ER1 and its relatives, on the service of the O2Ring; without contact the samples are "none".
        .ecgRecorder: """
        {
          advertises: ['14839AC4-7D7E-415C-9A42-167340CF2339'],
          quantities: { charge: 88 },
          services: [{
            uuid: '14839AC4-7D7E-415C-9A42-167340CF2339',
            characteristics: [
              { uuid: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', flags: ['write', 'write-without-response'] },
              { uuid: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', flags: ['notify'] },
            ],
          }],
          conversation: [
            \(recorderPoll(isWorn: true, status: "02", rate: "{u16 heartRate}", sample: "{i16 potential/2.467}")),
            \(recorderPoll(isWorn: false, status: "07", rate: "00 00", sample: "FF 7F")),
          ],
        }
        """,
    ]

    /// The rule of an ER1 for its poll, 125 samples a second of 2.467 µV.
    private static func recorderPoll(isWorn: Bool, status: String, rate: String, sample: String) -> String {
        """
        {
          written: '8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3', octets: 'A5 03 FC 00 .. 01 00 7D {crc8}', worn: \(isWorn),
          answers: [{
            from: '0734594A-A8E7-4B1A-A6B1-CD5243059A57', pieces: 20,
            wave: { rate: 125, sample: '\(sample)', count: 150 },
            octets: 'A5 03 FC 01 {request 4..5} {u16 sampleCount*2+22} \(rate) 00 {u8 charge} {u32 seconds} \(status) 00 00 00 00 00 00 00 00 00 00 00 {u16 sampleCount} {samples} {crc8}',
          }],
        }
        """
    }
}
