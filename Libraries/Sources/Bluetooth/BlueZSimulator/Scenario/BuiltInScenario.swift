/// The texts of the scenarios that need no file.
enum BuiltInScenario {
    /// See ``Scenario/wardEvening``.
    static let wardEvening = """
        // A realistic evening: six minutes of it show everything that a monitor must show.
        {
          title: 'Ward evening',
          seed: 2603,
          repeatAfter: 900,
          adapter: { address: '00:1B:DC:00:00:01', name: 'Bedside simulator' },
          sensors: [
            {
              // Measures the core body temperature; a fever builds and is past 38.3 °C after four minutes.
              name: 'CORE 1A2B', address: 'C0:52:49:1A:2B:01', kind: 'core', rssi: -58, rssiNoise: 3, battery: 92,
              temperature: {
                value: [[0, 36.8], [30, 36.85], [210, 38.35], [300, 38.7], [540, 38.6], [780, 37.1], [899, 36.8]],
                waves: [{ amplitude: 0.02, period: 47 }], noise: 0.01,
              },
              skinTemperature: { value: [[0, 34.2], [240, 35.9], [600, 35.6], [899, 34.2]], noise: 0.02 },
              deviceInformation: { manufacturer: 'Simulated', model: 'CORE 2', serial: '1A2B', firmware: '0.8.1' },
            },
            {
              // The heart follows the fever (some 8 beats a minute for a degree) and the breath.
              name: 'Polar H10 4A2C1B23', address: 'C0:52:49:4A:2C:02', kind: 'heartRateStrap', rssi: -63,
              rssiNoise: 4, battery: [[0, 78], [900, 76]],
              heartRate: {
                value: [[0, 72], [30, 73], [210, 86], [300, 89], [540, 88], [780, 75], [899, 72]],
                waves: [{ amplitude: 2.5, period: 14 }, { amplitude: 1.5, period: 61 }], noise: 1,
                contact: true,
              },
              electrocardiogram: { sampleRate: 130.6 }, respirationRate: [[0, 14], [300, 18], [780, 14]],
              deviceInformation: { manufacturer: 'Simulated', model: 'H10', serial: '4A2C1B23', firmware: '5.0.0' },
            },
            {
              // A fingertip oximeter that streams its pulse wave, too.
              name: 'VTM 20F 5003', address: 'C0:52:49:00:50:03', kind: 'fingertipOximeter', rssi: -67, rssiNoise: 4,
              battery: [[0, 54], [900, 51]],
              oxygenSaturation: {
                value: [[0, 98], [120, 97.5], [300, 95.5], [560, 96], [800, 97.5], [899, 98]],
                waves: [{ amplitude: 0.5, period: 37 }], noise: 0.3,
              },
              pulseRate: {
                value: [[0, 72], [30, 73], [210, 86], [300, 89], [540, 88], [780, 75], [899, 72]],
                waves: [{ amplitude: 2, period: 15 }, { amplitude: 1.5, period: 61 }], noise: 1,
              },
              perfusion: { value: 5.4, waves: [{ amplitude: 1.2, period: 53 }], noise: 0.3 },
              deviceInformation: { manufacturer: 'Simulated', model: 'FS20F', serial: '5003', firmware: '2.1' },
            },
            // Strangers in the neighbouring room: nothing that measures a vital.
            { name: 'JBL Flip 5', address: 'F4:BC:DA:33:71:9E', addressType: 'public', kind: 'generic', rssi: -81,
              rssiNoise: 6, advertises: ['FDDF'], manufacturerData: [{ company: 0x0057, data: '0D1E0100' }] },
            { name: '[TV] Samsung 7 Series', address: '64:1C:AE:0B:42:D7', addressType: 'public', kind: 'generic',
              rssi: -88, rssiNoise: 5, manufacturerData: [{ company: 0x0075, data: '42040180' }] },
          ],
          events: [
            { at: 90, sensor: 'Polar H10 4A2C1B23', do: 'offBody' },
            { at: 120, sensor: 'Polar H10 4A2C1B23', do: 'onBody' },
            { at: 165, sensor: 'VTM 20F 5003', do: 'outOfRange' },
            { at: 200, sensor: 'VTM 20F 5003', do: 'inRange' },
            { at: 390, sensor: 'VTM 20F 5003', do: 'offBody' },
            { at: 425, sensor: 'VTM 20F 5003', do: 'onBody' },
            { at: 600, sensor: 'Polar H10 4A2C1B23', do: 'linkLoss' },
            { at: 690, sensor: 'CORE 1A2B', do: 'offBody' },
            { at: 720, sensor: 'CORE 1A2B', do: 'onBody' },
          ],
        }
        """

    /// See ``Scenario/steady``.
    static let steady = """
        // The sensors of the test bench with constant values; tests change them by commands.
        {
          title: 'Steady',
          sensors: [
            { name: 'CORE [1A]', address: 'C0:52:49:00:00:01', kind: 'thermometer', rssi: -58, temperature: 36.8,
              deviceInformation: { manufacturer: 'Rig', model: 'CORE', serial: '0001', firmware: '1.0.0' } },
            { name: 'Polar H10 1234', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', rssi: -58, heartRate: 72,
              deviceInformation: { manufacturer: 'Rig', model: 'H10', serial: '1234', firmware: '5.0.0' } },
            { name: 'e-Oximeter', address: 'C0:52:49:00:00:03', kind: 'oximeter', rssi: -58,
              oxygenSaturation: 98, pulseRate: 71,
              deviceInformation: { manufacturer: 'Rig', model: 'e-Oximeter', serial: '42', firmware: '2.1' } },
          ],
        }
        """

    /// See ``Scenario/devices``.
    static let devices = """
        // One of each sensor that converses, or that comes and goes. Somebody measures every two minutes.
        {
          title: 'Sensors that converse',
          seed: 18,
          repeatAfter: 120,
          sensors: [
            { name: 'O2Ring 0418', address: 'C0:52:49:18:00:01', kind: 'oximeterRing',
              oxygenSaturation: { value: 96, noise: 0.6 }, pulseRate: { value: 64, noise: 2 } },
            { name: 'VTM 20F', address: 'C0:52:49:18:00:02', kind: 'fingertipOximeter',
              oxygenSaturation: 97, pulseRate: { value: 66, noise: 1 } },
            { name: 'My Oximeter', address: 'C0:52:49:18:00:03', kind: 'jumperOximeter',
              oxygenSaturation: 95, pulseRate: { value: 68, noise: 1 } },
            { name: 'BerryMed', address: 'C0:52:49:18:00:04', kind: 'bciOximeter',
              oxygenSaturation: 98, pulseRate: { value: 132, noise: 1 } },
            { name: 'Nonin3230_502', address: 'C0:52:49:18:00:05', kind: 'noninOximeter',
              oxygenSaturation: 94, pulseRate: { value: 70, noise: 1 } },
            { name: 'BM 54', address: 'C0:52:49:18:00:06', kind: 'bloodPressureMonitor', sleepsAfter: 30,
              quantities: { systolic: { value: 121, noise: 6 }, diastolic: 79, mean: 93, pulse: 68 } },
            { name: 'Contour 7890', address: 'C0:52:49:18:00:07', kind: 'glucoseMeter', sleepsAfter: 30 },
            { name: 'CGM 3344', address: 'C0:52:49:18:00:08', kind: 'continuousGlucose' },
            { name: 'miaomiao 4F', address: 'C0:52:49:18:00:09', kind: 'miaoMiao' },
            // Sooner than a real one, so that it can be calibrated soon.
            { name: 'xDrip bridge', address: 'C0:52:49:18:00:0A', kind: 'xDripBridge', interval: 125,
              quantities: { glucose: [[0, 118], [3600, 160], [7200, 110]], charge: 75 } },
            // Its identifier, for the setting sensors.transmitter, is 4ABCDE.
            { name: 'DexcomDE', address: 'C0:52:49:18:00:0B', kind: 'dexcomTransmitter' },
            { name: 'BF 710', address: 'C0:52:49:18:00:0C', kind: 'weightScale', sleepsAfter: 30 },
            // It streams, and has stored five spot-checks of the last hours.
            { name: 'Spot 1822', address: 'C0:52:49:18:00:0D', kind: 'oximeter', battery: 71,
              oxygenSaturation: { value: 97, status: true }, pulseRate: { value: 67, noise: 1 }, perfusion: 4.2,
              services: [
                { uuid: '1805', characteristics: [{ uuid: '2A2B', flags: ['read', 'write'], value: '{time} 00 00 00' }] },
              ],
              records: {
                from: '2A5E', control: '2A52', count: 5, every: 3600,
                octets: '0F {sfloat sequence+91} {sfloat sequence*2+60} {time} 00 02 00 00 00 {sfloat sequence*3+10 e-1}',
              } },
          ],
          events: [
            { at: 5, sensor: 'BM 54', do: 'measure' },
            { at: 25, sensor: 'BF 710', do: 'measure' },
            { at: 45, sensor: 'Contour 7890', do: 'measure' },
          ],
        }
        """
}
