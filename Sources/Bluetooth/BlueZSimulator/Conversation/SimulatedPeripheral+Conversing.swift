import VitalDecoders

extension SimulatedPeripheral {
    /// A quantity of every sensor; the raw value is its name in a template.
    enum CommonQuantity: String, CaseIterable {
        case temperature, skinTemperature, heartRate, oxygenSaturation, pulseRate, perfusion, battery
        /// 1 while it is worn, else 0.
        case worn
        /// Seconds of the scenario.
        case seconds
        /// The number of the measurement, and the sequence number of the record that is sent.
        case sample, sequence
    }

    /// The rule for an event, if any.
    func rule(for event: SimulatedConversation.Event, at seconds: Double) -> ConversationRule? {
        var filling = filling(at: seconds)
        if case .written(let octets, _) = event { filling.request = octets }
        return conversation.rule(for: event, isOnBody: isOnBody, noise: noise.stream(103), filling)
    }

    func octets(_ template: OctetTemplate, request: [UInt8] = [], at seconds: Double) -> [UInt8] {
        var filling = filling(at: seconds)
        filling.request = request
        return template.octets(filling)
    }

    func octets(_ template: OctetTemplate, of record: StoredRecords.Record, at now: Double) -> [UInt8] {
        var filling = filling(at: record.seconds, sequence: record.sequence)
        filling.time = conversation.time(in: record.seconds - now)
        return template.octets(filling)
    }

    private func filling(at seconds: Double, sequence: Int = 0) -> TemplateFilling {
        TemplateFilling(
            saved: conversation.saved, identifier: conversation.description.identifier, seconds: seconds,
            time: conversation.time(in: 0),
            quantityAt: { self.quantity($0, at: $1, sequence: sequence) }, random: { _ in [] })
    }

    private func quantity(_ name: String, at seconds: Double, sequence: Int) -> Double {
        if let constant = constants[name] { return constant }
        if let quantity = conversation.description.quantities[name] {
            let stream = name.utf8.reduce(200) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
            return quantity.value(at: wrapped(seconds), sample: sample + sequence, noise.stream(stream))
        }
        switch CommonQuantity(rawValue: name) {
        case nil: return 0
        case .temperature: return vital(vitals.temperature.value, 0, at: seconds)
        case .skinTemperature: return vital(vitals.temperature.skin, 1, at: seconds)
        case .heartRate: return vital(vitals.heartRate.value, 2, at: seconds)
        case .oxygenSaturation: return vital(vitals.oximetry.saturation, 3, at: seconds)
        case .pulseRate: return vital(vitals.oximetry.pulseRate, 4, at: seconds)
        case .perfusion: return vital(vitals.oximetry.amplitude, 5, at: seconds)
        case .battery: return Double(battery(at: seconds))
        case .worn: return isOnBody ? 1 : 0
        case .seconds: return seconds
        case .sample: return Double(sample)
        case .sequence: return Double(sequence)
        }
    }

    private func vital(_ quantity: Quantity?, _ stream: Int, at seconds: Double) -> Double {
        quantity.map { encoder(at: seconds).value($0, stream: stream) } ?? 0
    }
}
