extension Theme {
    /// Why a theme cannot be used.
    public struct ValidationError: Error, Hashable, Sendable {
        /// The affected colours; changing one of them helps.
        public var places: [ThemePlace]
        /// The problem and its remedy, without a full stop.
        public var reason: String
    }

    /// The least distance of two colours that a tired reader can distinguish.
    static let leastDistance = 90.0
    /// The least contrast of an alarm's text, as WCAG 2 requires for large text.
    static let leastContrast = 3.0
    /// The least contrast of text with 16 colours or fewer, and of text on the terminal's own background, as WCAG 2 requires
    /// for text of any size.
    static let leastContrastOfText = 4.5

    /// The first problem of the theme: an alarm that looks like another one or like no alarm, or is unreadable; `nil`
    /// for none.
    public var fault: ValidationError? {
        readabilityFault ?? sameFault ?? reservedFault
    }

    private static let alarmRoles: [Style.Role] = [.alarmHigh, .alarmMedium, .alarmLow]

    /// Checks that an alarm's background is visible on the screen, and its text on that background.
    private var readabilityFault: ValidationError? {
        for role in Self.alarmRoles + [.simulated] {
            guard let fill = self[role].filled else {
                return ValidationError(
                    places: [ThemePlace(role: role, part: .fillGround)], reason: "\(role.text) have no ground")
            }
            let (text, filled) = (ThemePlace(role: role, part: .fillText), ThemePlace(role: role, part: .fillGround))
            if fill.text.contrast(to: fill.ground) < Self.leastContrast || fill.text.bright == fill.ground.bright
                || fill.text.basic == fill.ground.basic
            {
                return ValidationError(
                    places: [filled, text], reason: "\(role.text) could not be read: the text is too like its ground")
            }
            guard let ground, role.isAlarm else { continue }
            if fill.ground.distance(to: ground) < Self.leastDistance {
                return ValidationError(
                    places: [filled, ThemePlace(role: nil, part: .plain)],
                    reason: "\(role.text) could not be distinguished from the ground of the screen")
            }
            if let color = self[role].text, color.contrast(to: ground) < Self.leastContrast {
                return ValidationError(
                    places: [ThemePlace(role: role, part: .plain), ThemePlace(role: nil, part: .plain)],
                    reason: "\(role.text), once acknowledged, could not be read on the ground of the screen")
            }
        }
        return textFault
    }

    /// Checks that text is readable on the background of the theme or the terminal.
    private var textFault: ValidationError? {
        let behind = ThemePlace(role: nil, part: .plain)
        if ground != nil, self[.plain].text == nil {
            return ValidationError(
                places: [behind],
                reason: "a ground needs a colour of ordinary text beside it: the terminal's own may not be seen there")
        }
        for role in Style.Role.allCases where role != .frame {
            guard let text = self[role].text, text.contrast(to: expectedGround) < Self.leastContrast else { continue }
            let screen = isForLightGround ? "a light screen" : "a dark screen"
            return ValidationError(
                places: [ThemePlace(role: role, part: .plain), behind],
                reason: "\(role.text) could not be read on \(ground == nil ? screen : "the ground of the screen")")
        }
        return nil
    }

    /// Checks that the three priorities differ from each other at every depth.
    private var sameFault: ValidationError? {
        for (index, role) in Self.alarmRoles.enumerated() {
            for other in Self.alarmRoles[(index + 1)...] {
                for part in [ThemePlace.Part.plain, .fillGround] {
                    let places = [ThemePlace(role: role, part: part), ThemePlace(role: other, part: part)]
                    guard let one = self[places[0]], let two = self[places[1]], one.isLike(two) else { continue }
                    return ValidationError(
                        places: places, reason: "\(role.text) could not be distinguished from \(other.text)")
                }
            }
        }
        return nil
    }

    /// Checks that no other role looks like an alarm.
    private var reservedFault: ValidationError? {
        for role in Style.Role.allCases where !role.isAlarm {
            let own = ThemePlace(role: role, part: role == .simulated ? .fillGround : .plain)
            guard let color = self[own] else { continue }
            for alarm in Self.alarmRoles {
                for part in role == .simulated ? [ThemePlace.Part.fillGround] : [.plain, .fillGround] {
                    let place = ThemePlace(role: alarm, part: part)
                    guard let reserved = self[place], color.isLike(reserved) || color.hasHue(of: reserved) else {
                        continue
                    }
                    return ValidationError(places: [own, place], reason: "\(role.text) would look like \(alarm.text)")
                }
            }
        }
        return nil
    }
}

extension Theme.Color {
    /// Whether a tired reader may confuse it with another one, at some depth.
    func isLike(_ other: Theme.Color) -> Bool {
        distance(to: other) < Theme.leastDistance || palette == other.palette || bright == other.bright
            || basic == other.basic
    }
}
