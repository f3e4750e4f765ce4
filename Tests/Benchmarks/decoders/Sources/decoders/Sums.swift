import VitalDecoders

/// Values one after the other in memory, all of the same length.
struct Values {
    var octets: [UInt8]
    var count: Int

    /// The number of values.
    var number: Int { octets.count / count }
}

/// Decodes all values `rounds` times; returns a sum over every field, so that nothing can be left out.
func sumOfTemperatures(_ values: Values, rounds: Int) -> UInt64 {
    sum(values, rounds) { octets throws(MalformedValueError) in
        let value = try TemperatureMeasurement(decoding: octets)
        var sum = numberSum(value.temperature.value) &+ (value.unit == .fahrenheit ? 1 : 0)
        if let timestamp = value.timestamp {
            sum &+= UInt64(timestamp.year ?? 0) &+ UInt64(timestamp.minute)
        }
        if let type = value.type {
            sum &+= UInt64(type.rawValue)
        }
        return sum
    }
}

/// Decodes all values `rounds` times; returns a sum over every field, so that nothing can be left out.
func sumOfHeartRates(_ values: Values, rounds: Int) -> UInt64 {
    sum(values, rounds) { octets throws(MalformedValueError) in
        let value = try HeartRateMeasurement(decoding: octets)
        var sum = UInt64(value.heartRate) &+ (value.contact == .detected ? 1 : 0)
        if let energy = value.energyExpended {
            sum &+= UInt64(energy)
        }
        if let intervals = value.rrIntervals {
            for interval in intervals {
                sum &+= UInt64(interval.raw)
            }
        }
        return sum
    }
}

/// Decodes all values `rounds` times; returns a sum over every field, so that nothing can be left out.
func sumOfOximeters(_ values: Values, rounds: Int) -> UInt64 {
    sum(values, rounds) { octets throws(MalformedValueError) in
        let value = try PulseOximeterContinuousMeasurement(decoding: octets)
        var sum = pairSum(value.normal)
        if let fast = value.fast { sum &+= pairSum(fast) }
        if let slow = value.slow { sum &+= pairSum(slow) }
        if let status = value.measurementStatus { sum &+= UInt64(status.rawValue) }
        if let status = value.deviceAndSensorStatus { sum &+= UInt64(status.rawValue) }
        if let index = value.pulseAmplitudeIndex { sum &+= numberSum(index.value) }
        return sum
    }
}

@inline(__always)
private func pairSum(_ pair: OxygenSaturationAndPulseRate) -> UInt64 {
    numberSum(pair.oxygenSaturation.value) &+ numberSum(pair.pulseRate.value)
}

@inline(__always)
private func numberSum(_ number: MedicalNumber) -> UInt64 {
    guard case .number(let decimal) = number else { return 1 }
    return UInt64(bitPattern: decimal.mantissa &+ Int64(decimal.exponent))
}

@inline(__always)
private func sum(
    _ values: Values, _ rounds: Int, _ decoded: (Span<UInt8>) throws(MalformedValueError) -> UInt64
) -> UInt64 {
    var sum: UInt64 = 0
    let span = values.octets.span
    for _ in 0..<rounds {
        var start = 0
        while start < span.count {
            do throws(MalformedValueError) {
                // As in C: the places are not checked again, the octets of each value are.
                let place = Range(uncheckedBounds: (start, start &+ values.count))
                sum &+= try decoded(span.extracting(unchecked: place))
            } catch {
                sum &+= UInt64(error.offset)
            }
            start &+= values.count
        }
    }
    return sum
}
