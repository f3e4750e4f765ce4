/// A place for a user's colour in a theme.
public struct ThemePlace: Hashable, Sendable {
    /// The role; `nil` for the background of the screen.
    public var role: Style.Role?
    /// The part of the role.
    public var part: Part

    /// The colours of a role.
    public enum Part: Hashable, Sendable {
        /// Its text on the background of the screen; for the screen itself that background.
        case plain
        /// Its text where it fills its line.
        case fillText
        /// The background of the line that it fills.
        case fillGround
    }

    /// Every place: the background, the roles, and the fills of those roles that have one.
    public static let all: [ThemePlace] =
        [ThemePlace(role: nil, part: .plain)]
        + Style.Role.allCases.flatMap { role -> [ThemePlace] in
            let parts: [Part] = role.fillsLines ? [.plain, .fillText, .fillGround] : [.plain]
            return parts.map { ThemePlace(role: role, part: $0) }
        }

    /// Its name in a file, such as `heart_rate` or `alarm_high_ground`.
    public var name: String {
        guard let role else { return "ground" }
        switch part {
        case .plain: return role.name
        case .fillText: return role.name + "_text"
        case .fillGround: return role.name + "_ground"
        }
    }

    /// The description of what has that colour.
    public var text: String {
        guard let role else { return "the ground of the whole screen" }
        switch part {
        case .plain: return role.text
        case .fillText: return "\(role.text), the text where it fills a line"
        case .fillGround: return "\(role.text), the ground where it fills a line"
        }
    }
}

extension Theme {
    /// The theme with some colours of the user.
    ///
    /// With few colours, alarms keep theirs, and other text gets the nearest readable one, unless the user names one of
    /// the sixteen.
    public func with(_ own: [ThemePlace: Color]) -> Theme {
        var theme = self
        for (place, color) in own {
            guard let role = place.role else {
                theme.ground = color
                for role in Style.Role.allCases { theme[role].fades = [] }
                continue
            }
            let former = theme[place]
            var color = color
            if role.isAlarm, let former, color.palette >= 16 {
                (color.bright, color.basic) = (former.bright, former.basic)
            }
            switch place.part {
            case .plain: (theme[role].text, theme[role].fades) = (color, [])
            case .fillText: theme[role].filled?.text = color
            case .fillGround: theme[role].filled?.ground = color
            }
        }
        for case (let place, var color) in own where color.palette >= 16 && place.part == .plain {
            guard let role = place.role, !role.isAlarm else { continue }
            for depth in [ColorDepth.bright, .basic] {
                let readable = theme.readableIndices(at: depth)
                guard !readable.isEmpty else { continue }
                let index = color.nearest(among: readable)
                if depth == .bright { color.bright = index } else { color.basic = index }
            }
            theme[role].text = color
        }
        return theme
    }

    /// The colours of a terminal with few that are readable on the background and not reserved for alarms.
    private func readableIndices(at depth: ColorDepth) -> [Int] {
        let ground = expectedGround.number(at: depth) ?? 0
        let alarms = Style.Role.allCases.filter(\.isAlarm).compactMap { self[$0].text?.number(at: depth) }
        let reserved = Color.reserved.union(alarms)
        return (0..<depth.rawValue).filter { index in
            let isBrightened = depth == .basic && !isOnLight && (1...6).contains(index)
            return !reserved.contains(index)
                && Color.contrast(index + (isBrightened ? 8 : 0), on: ground) >= Self.leastContrastOfText
        }
    }

    /// The colour at a place; `nil` for the terminal's own.
    subscript(place: ThemePlace) -> Color? {
        guard let role = place.role else { return ground }
        switch place.part {
        case .plain: return self[role].text
        case .fillText: return self[role].filled?.text
        case .fillGround: return self[role].filled?.ground
        }
    }
}

extension Style.Role {
    /// Whether it is the role of an alarm.
    public var isAlarm: Bool { self == .alarmHigh || self == .alarmMedium || self == .alarmLow }

    /// Whether it fills lines with a colour of its own.
    var fillsLines: Bool { isAlarm || self == .simulated }

    /// Its name in a file.
    var name: String {
        switch self {
        case .plain: "text"
        case .faint: "faint"
        case .frame: "frame"
        case .brand: "brand"
        case .heartRate: "heart_rate"
        case .oxygenSaturation: "spo2"
        case .temperature: "temperature"
        case .glucose: "glucose"
        case .alarmHigh: "alarm_high"
        case .alarmMedium: "alarm_medium"
        case .alarmLow: "alarm_low"
        case .simulated: "simulated"
        case .key: "key"
        case .good: "good"
        }
    }

    /// A short description of its use.
    var text: String {
        switch self {
        case .plain: "ordinary text"
        case .faint: "text that may be overlooked: ages, units, scales"
        case .frame: "rules and borders"
        case .brand: "the name of the program"
        case .heartRate: "heart rate and pulse rate"
        case .oxygenSaturation: "oxygen saturation"
        case .temperature: "temperatures"
        case .glucose: "glucose"
        case .alarmHigh: "alarms of high priority"
        case .alarmMedium: "alarms of medium priority"
        case .alarmLow: "alarms of low priority"
        case .simulated: "the mark of simulated data"
        case .key: "the names of keys"
        case .good: "what works as it should"
        }
    }
}
