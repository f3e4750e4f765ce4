extension Theme {
    /// A colour for each kind of terminal.
    public struct Color: Hashable, Sendable {
        /// The exact colour, for a terminal that can show any.
        public var red, green, blue: UInt8
        /// Its index in a palette of 256.
        public var palette: Int16
        /// Its index among 16.
        public var bright: Int16
        /// Its index among 8.
        public var basic: Int16

        /// Creates a colour from its indices, with xterm's values for the palette.
        public init(_ palette: Int16, bright: Int16, basic: Int16) {
            (red, green, blue) = Self.components(palette: Int(palette))
            (self.palette, self.bright, self.basic) = (palette, bright, basic)
        }

        /// Creates a colour from red, green and blue and its indices among 16 and 8; in the palette of 256 the nearest
        /// is used.
        public init(rgb: Int, bright: Int16, basic: Int16) {
            red = UInt8(truncatingIfNeeded: rgb >> 16)
            green = UInt8(truncatingIfNeeded: rgb >> 8)
            blue = UInt8(truncatingIfNeeded: rgb)
            (palette, self.bright, self.basic) = (0, bright, basic)
            palette = nearest(among: 16..<256)
        }

        /// Creates a colour from red, green and blue and its indices in the palettes of 256, 16 and 8.
        public init(rgb: Int, palette: Int16, bright: Int16, basic: Int16) {
            self.init(rgb: rgb, bright: bright, basic: basic)
            self.palette = palette
        }

        /// Red, green and blue in one number, `0xRRGGBB`.
        public var rgb: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

        /// Whether it is exactly xterm's value for its index in the palette.
        public var isOfPalette: Bool { Self.components(palette: Int(palette)) == (red, green, blue) }

        /// Its number at a depth; `nil` without colours.
        public func number(at depth: ColorDepth) -> Int? {
            switch depth {
            case .direct: rgb
            case .palette: Int(palette)
            case .bright: Int(bright)
            case .basic: Int(basic)
            case .none: nil
            }
        }

        /// The index of the most similar colour of the palette.
        func nearest(among indices: some Sequence<Int>) -> Int16 {
            let best = indices.min { squaredDistance(toPalette: $0) < squaredDistance(toPalette: $1) }
            return Int16(best ?? 0)
        }

        private func squaredDistance(toPalette index: Int) -> Int {
            let (red, green, blue) = Self.components(palette: index)
            return Self.squaredDistance((self.red, self.green, self.blue), (red, green, blue))
        }

        /// The colour with its components multiplied, brighter above 100 %.
        func scaled(percent: Int) -> Color {
            func scaled(_ component: UInt8) -> Int { min(255, (Int(component) * percent + 50) / 100) }
            return Color(
                rgb: scaled(red) << 16 | scaled(green) << 8 | scaled(blue), bright: bright, basic: basic)
        }

        /// The colour mixed with white.
        func lightened(percent: Int) -> Color {
            func lightened(_ component: UInt8) -> Int { Int(component) + (255 - Int(component)) * percent / 100 }
            return Color(
                rgb: lightened(red) << 16 | lightened(green) << 8 | lightened(blue), bright: bright, basic: basic)
        }

        /// The difference of two colours, from 0 to about 765 for black and white.
        ///
        /// The weighted distance of [compuphase](https://www.compuphase.com/cmetric.htm): close to human perception,
        /// without the cost of a uniform colour space.
        func distance(to other: Color) -> Double {
            Double(Self.squaredDistance((red, green, blue), (other.red, other.green, other.blue))).squareRoot()
        }

        private static func squaredDistance(_ one: (UInt8, UInt8, UInt8), _ other: (UInt8, UInt8, UInt8)) -> Int {
            let mean = (Int(one.0) + Int(other.0)) / 2
            let (red, green, blue) = (Int(one.0) - Int(other.0), Int(one.1) - Int(other.1), Int(one.2) - Int(other.2))
            return ((512 + mean) * red * red + 1024 * green * green + (767 - mean) * blue * blue) >> 8
        }

        /// The contrast of two colours by WCAG 2, from 1 to 21.
        func contrast(to other: Color) -> Double {
            let (one, two) = (luminance, other.luminance)
            return (max(one, two) + 0.05) / (min(one, two) + 0.05)
        }

        /// Whether both are strongly coloured and of nearly the same hue, independent of lightness.
        func hasHue(of other: Color) -> Bool {
            guard let own = hue, let hue = other.hue else { return false }
            let difference = abs(own - hue)
            return min(difference, 360 - difference) < 25
        }

        /// The hue in degrees; `nil` for a nearly grey colour.
        private var hue: Double? {
            let (red, green, blue) = (Double(red), Double(green), Double(blue))
            let most = max(red, green, blue)
            let chroma = most - min(red, green, blue)
            guard chroma > 80 else { return nil }
            let sixths =
                most == red
                ? (green - blue) / chroma : most == green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4
            return (sixths < 0 ? sixths + 6 : sixths) * 60
        }

        private var luminance: Double {
            0.2126 * Self.linear[Int(red)] + 0.7152 * Self.linear[Int(green)] + 0.0722 * Self.linear[Int(blue)]
        }

        /// The light of each component of sRGB (IEC 61966-2-1): a power of 2.4 but for the darkest.
        private static let linear: [Double] = (0...255).map { component in
            let value = Double(component) / 255
            if value <= 0.04045 { return value / 12.92 }
            let base = (value + 0.055) / 1.055
            let square = base * base
            // A module without I/O has no `pow`: the power of 0.4 is the fifth root of the square, by Newton's method.
            var root = 1.0
            for _ in 0..<20 {
                let fourth = root * root * root * root
                root -= (fourth * root - square) / (5 * fourth)
            }
            return square * root
        }

        /// Red, green and blue of xterm's palette: sixteen separate colours, a cube, and greys.
        private static func components(palette index: Int) -> (UInt8, UInt8, UInt8) {
            switch index {
            case 232...:
                (
                    UInt8(8 + (index - 232) % 24 * 10), UInt8(8 + (index - 232) % 24 * 10),
                    UInt8(8 + (index - 232) % 24 * 10)
                )
            case 16...: (steps[(index - 16) / 36], steps[(index - 16) / 6 % 6], steps[(index - 16) % 6])
            default: first[max(0, index)]
            }
        }

        /// The least contrast of two of the sixteen colours, on the palettes of xterm and the Linux console.
        static func contrast(_ one: Int, on other: Int) -> Double {
            zip(ofPalettes(one), ofPalettes(other)).map { $0.contrast(to: $1) }.min() ?? 1
        }

        /// One of the sixteen colours, on the palettes of xterm and the Linux console.
        static func ofPalettes(_ index: Int) -> [Color] {
            [first, console].map { palette in
                let (red, green, blue) = palette[index & 15]
                return Color(rgb: Int(red) << 16 | Int(green) << 8 | Int(blue), bright: 0, basic: 0)
            }
        }

        /// The sixteen colours of the Linux console, which are those of VGA.
        static let console: [(UInt8, UInt8, UInt8)] = [
            (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170),
            (170, 170, 170), (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255),
            (255, 85, 255), (85, 255, 255), (255, 255, 255),
        ]

        private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

        /// The sixteen colours of xterm.
        static let first: [(UInt8, UInt8, UInt8)] = [
            (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
            (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255),
            (0, 255, 255), (255, 255, 255),
        ]
    }
}

extension Theme.Color {
    /// The names of the sixteen standard colours, whose exact values each terminal chooses.
    public static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright_black", "bright_red",
        "bright_green", "bright_yellow", "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
    ]

    /// The indices among 16 that are reserved for alarms: red, yellow and cyan.
    static let reserved: Set<Int> = [1, 3, 6, 9, 11, 14]

    /// Reads a colour as users write it: `#ff8700`, or one of ``names``.
    ///
    /// For terminals of few colours `#ff8700` becomes the nearest that is not reserved for alarms.
    /// - Returns: `nil` when the text is no colour.
    public init?(_ text: String) {
        let text = text.lowercased()
        if let index = Self.names.firstIndex(of: text) {
            self.init(Int16(index), bright: Int16(index), basic: Int16(index % 8))
            return
        }
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"), let rgb = Int(text.dropFirst(), radix: 16),
            rgb >= 0, text.dropFirst().first != "+"
        else { return nil }
        self.init(rgb: rgb, bright: 0, basic: 0)
        bright = nearest(among: (0..<16).filter { !Self.reserved.contains($0) })
        basic = nearest(among: (0..<8).filter { !Self.reserved.contains($0) })
    }

    /// The colour as users write it.
    public var text: String {
        if palette < 16 { return Self.names[max(0, Int(palette))] }
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
