/// All fields of a scenario file, for the manual page; code is between backquotes.
///
/// The article <doc:WritingScenarios> has the same rows in its tables. A test compares both with each other and with
/// the reader.
public enum ScenarioReference {
    /// The fields of a scenario.
    public static let whole: [(name: String, meaning: String)] =
        [
            ("`title`", "what to call it"),
            ("`seed`", "of the noise; the same seed gives the same octets"),
            (
                "`trial`",
                """
                whether it is for trying out the program: an empty record gets an invented past of two weeks, and what \
                was connected is connected again at the next start; `false` if nothing is said
                """
            ),
            ("`repeatAfter`", "seconds after which curves and events begin again"),
            (
                "`adapter`",
                """
                `address`, `name`, `powered`, `plugged`, `filterDuplicates`, `powerState` (whether there is this \
                property, as in newer versions of BlueZ), `advertisementMonitors` (whether there are any, as with \
                `bluetoothd --experimental`)
                """
            ),
            ("`sensors`, `events`", "see below"),
        ]

    /// The fields of a sensor.
    public static let sensor: [(name: String, meaning: String)] =
        [
            (
                "`name`, `address`, `kind`",
                """
                must be given; `kind` is `thermometer`, `core`, `heartRateStrap`, `oximeter`, `generic`, or a device \
                of the list below
                """
            ),
            ("`addressType`", "`random` or `public`"),
            ("`copies`", "the number of sensors, with numbered names and addresses that count up"),
            (
                "`rssi`, `rssiNoise`, `txPower`, `appearance`, `advertises`, `manufacturerData`",
                """
                what is advertised; the last is a list of `{company, data}`
                """
            ),
            ("`inRange`", "whether it is heard from the beginning"),
            ("`interval`", "seconds from one measurement to the next"),
            ("`battery`", "percent, a quantity"),
            ("`deviceInformation`", "`manufacturer`, `model`, `serial`, `firmware`, or `null` for none"),
            (
                "`temperature`",
                """
                °C, a quantity, with `unit` (`celsius`, `fahrenheit`), `type` (`body`, `ear` …, or `null`), \
                `timestamp`
                """
            ),
            ("`skinTemperature`", "°C, a quantity, of a `core`"),
            (
                "`heartRate`",
                """
                beats a minute, a quantity, with `contact` (`true`, `false`, `'unsupported'`), `rrIntervals`, \
                `energy`, `location`, `wide`
                """
            ),
            ("`oxygenSaturation`", "percent, a quantity, with `status` for flags 0x1C as the PM100 sends"),
            ("`pulseRate`, `perfusion`", "beats a minute, percent; quantities"),
            (
                "`rhythm`, `respirationRate`, `motion`",
                """
                what a strap's or an oximeter's waves show of the body: `normal`, `ectopic` (every sixth beat comes \
                early and wide) or `fibrillation`; breaths a minute, a quantity, 14 if nothing is said; movement \
                from 0 to 1, a quantity
                """
            ),
            (
                "`electrocardiogram`",
                """
                of a `heartRateStrap`: `true`, or `{amplitude, mains, sampleRate, delay, compressed}`: how high it \
                is, a quantity, 1 for an R peak of 1.2 mV; the hum of the mains in mV, a quantity; its true samples \
                a second, from 120 to 140, while the sensor says 130; the seconds after its start until it begins; \
                whether the acceleration is sent compressed
                """
            ),
            (
                "`pairing`, `passkey`",
                """
                how it is paired before it gives what its kind has: `just-works`, `passkey-display` (typed on the \
                sensor), `numeric-comparison`, `passkey-entry` (typed here); the digits that it shows, 123456 if \
                nothing is said
                """
            ),
            (
                "`services`",
                """
                more services: `[{uuid, characteristics: [{uuid, flags, value, values, offBody, pieces, echoes, \
                needsPairing, wave}]}]`; `values` are sent one after another, `offBody` instead of them while the sensor \
                is not worn, in `pieces` of so many octets at most; one that `echoes` another characteristic \
                notifies what is written to that; a `wave` is `{rate, sample, offBody, count, frame}`: besides the \
                values so many samples a second, or one for each of the `'beats'`, whose octets are `sample` or, while \
                the sensor is not worn, `offBody`, and `count` of them in each `frame`
                """
            ),
            (
                "`conversation`, `records`, `nights`, `quantities`, `identifier`, `clock`, `sleepsAfter`, `wakesEvery`",
                """
                how it answers, what it has stored, and when it sleeps; see *Conversations*
                """
            ),
        ]

    /// The fields of an event, with their words.
    public static let event: [(name: String, meaning: String)] =
        [
            (
                "`sensor` (name or address) and `do`",
                """
                `offBody`, `onBody`, `linkLoss`, `hangUp`, `outOfRange`, `inRange`, `silence`, `speak`, `spotCheck`, \
                `battery` (`level`), `malformed` (`octets`), `rename` (`name`), `rotate` (`address`), `refuse` \
                (`count`), `burst` (`count`, `seconds`), `rssi` (`rssi`), `interval` (`seconds`), `measure`, `set` \
                (`quantity`, `value`), `rhythm` (`rhythm`), `loseFrames` (`count`), `flood` (`count`), \
                `restartClock`
                """
            ),
            ("`daemon`", "`stop`, `kill`, `start`, `restart`"),
            ("`adapter`", "`powerOn`, `powerOff`, `plug`, `unplug`, `block`, `unblock` (by rfkill)"),
            ("`command`", "a line as in <doc:DrivingSensors>"),
        ]

    /// The placeholders in octets of conversations.
    public static let places: [(name: String, meaning: String)] =
        [
            (
                "`{u8 NAME}`, `i8`, `u16`, `i16`, `u24`, `i24`, `u32`, `i32`",
                """
                a quantity, rounded and kept within bounds, the lowest octet first; `{u16be NAME}` the highest first
                """
            ),
            (
                "`{sfloat NAME}`, `{sfloat NAME e-5}`",
                """
                a MedicalShortFloat whose mantissa is the rounded quantity, with that exponent
                """
            ),
            ("`{time}`", "the sensor's clock, seven octets as in Date Time (2A08)"),
            ("`{request}`, `{request 1..9}`", "what was written, or its octets from place 1 up to, and without, 9"),
            (
                "`{saved NAME}`, `{random 8}`",
                """
                what a rule has saved; so many octets that differ each time, for saving
                """
            ),
            ("`{text OK}`", "ASCII"),
            (
                "`{crc8}`, `{crc16}`, `{e2e-crc}`, `{sum}`",
                """
                a checksum of all octets before it; `{sum 1}` leaves out the first one. CRC-8 of Viatom, \
                CRC-16/XMODEM, E2E-CRC of the health services, the sum modulo 256
                """
            ),
            ("`{samples}`", "the samples of a wave, in its frame or answer"),
            (
                "`{dexcom-hash {saved challenge}}`",
                """
                the hash of Dexcom's authentication, keyed with the sensor's `identifier`
                """
            ),
            (
                "`{libre-memory glucose}`",
                """
                the 344 octets of a FreeStyle Libre 1, of which a quantity is the glucose in mg/dL
                """
            ),
        ]

    /// The fields of a sensor's conversation.
    public static let conversation: [(name: String, meaning: String)] =
        [
            (
                "`conversation`",
                """
                rules, of which the first that fits counts: `{written: UUID, octets: PATTERN}`, `{subscribed: UUID}` \
                or `{measured: true}`, each with `worn` (whether it must be worn), `saves: {NAME: OCTETS}`, \
                `answers` and `error` (the ATT error with which a write is refused). In a pattern `..` is any octet \
                and `*` the rest
                """
            ),
            (
                "`answers`",
                """
                steps `{from: UUID, octets, after: SECONDS, pieces: COUNT, wave: {rate, sample, count}}` or \
                `{hangUp: true, after: SECONDS}`; with a `wave` the octets have its samples since the answer before, at \
                most `count`
                """
            ),
            (
                "`records`",
                """
                what it has stored: `{from: UUID, octets, context: {from, octets}, control: UUID, count, every: \
                SECONDS, first: NUMBER, continues}`. With `control` they are asked for through the Record Access \
                Control Point (all, first, last, by number, their count, abort); without one they are handed over \
                once, when somebody subscribes. `continues`: it goes on to store one after each interval. An \
                `oximeter` with records (from 2A5E) has the control point 2A52 by itself
                """
            ),
            (
                "`nights`",
                """
                the nights that an `oximeterRing` or an `oximeterRingS` has stored, of which it keeps four; see \
                *Nights of a ring*
                """
            ),
            ("`quantities`", "named numbers for the places"),
            ("`identifier`", "six characters of a transmitter"),
            ("`clock`", "the seconds by which its clock is ahead, until a client writes 2A2B or 2A08"),
            (
                "`sleepsAfter`",
                """
                the seconds without anything to do after which it hangs up and is no longer heard; it wakes up by \
                `measure`
                """
            ),
            ("`wakesEvery`", "the seconds after which it wakes up by itself"),
        ]

    /// The fields of a night of a ring.
    public static let night: [(name: String, meaning: String)] =
        [
            (
                "`start`, `daysAgo`",
                """
                when it begins by the ring's clock: `'2026-11-28 22:41:05'`; a time of day, such as `'22:41:05'`, \
                so many days (1 if nothing is said) before the day of the last noon; or seconds after the scenario \
                began, negative for before. One that begins later is stored from then on, and grows
                """
            ),
            (
                "`length`, `interval`",
                """
                seconds, at most 43200; seconds from one sample to the next, 4 of an `oximeterRing` and 1 of an \
                `oximeterRingS` if nothing is said
                """
            ),
            (
                "`saturation`, `pulseRate`",
                """
                percent and beats a minute, quantities over the seconds of the night, 96 and 60 if nothing is said
                """
            ),
            (
                "`falls`",
                """
                `[{at, depth, length, recovery, count, every}]`: at that second of the night the saturation begins \
                to fall, so many percent in `length` seconds, and is back after `recovery` (15) more; `count` \
                times, one `every` so many seconds
                """
            ),
            (
                "`gaps`, `weakPulses`",
                """
                `[{at, length, count, every}]`: the ring is off the finger and measures nothing; the pulse is too \
                weak for a saturation
                """
            ),
            (
                "`movements`",
                """
                `[{at, length, strength, count, every}]`: the ring is moved, by 20 of the maker's steps if nothing \
                is said
                """
            ),
            ("`reminder`", "the saturation below which it vibrates, in percent; never if nothing is said"),
            (
                "`defect`",
                """
                what is wrong with its file: `unfinished` (it never gets its end), `wrongSum` (an older ring, \
                whose files have no sum, names another length in the file), `wrongSize` (the ring announces 100 \
                octets more than it has)
                """
            ),
            ("`name`", "the name of its file, the digits of its start if nothing is said"),
        ]
}
