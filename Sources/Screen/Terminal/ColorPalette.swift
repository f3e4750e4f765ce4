import Appearance
import CNcurses

/// The terminal's colours in ncurses, and the colour pairs in use.
///
/// Quirk truecolor-unsaid: any colour can be shown only if the terminal's description has `RGB`, as `xterm-direct`, or
/// if its palette can be changed and `COLORTERM` announces any colour. Then the nearest colour of the palette is
/// redefined exactly, or a free one if another colour needs that; a terminal that cannot redefine it shows the nearest
/// one. ncurses restores the palette at its end.
struct ColorPalette {
    /// The colour depth in use.
    private(set) var depth = ColorDepth.none
    private let available: ColorDepth
    private let canChange: Bool
    private let usualDeepest: ColorDepth
    /// The greatest depth wanted.
    private var wanted = ColorDepth.direct
    private var pairs: [Pair: Int16] = [:]
    /// The indices of redefined palette colours.
    private var changed: Set<Int16> = []
    /// The colours in use, as red, green and blue, by their indices in a palette that can be changed.
    private var used: [Int16: Int] = [:]

    private struct Pair: Hashable {
        var text: CInt
        var ground: CInt
    }

    /// Starts colours; call it after ncurses has started.
    init(_ traits: TerminalTraits) {
        usualDeepest = traits.deepestColor ?? .direct
        guard !traits.isColorRefused, has_colors(), start_color() == OK, use_default_colors() == OK else {
            (available, canChange) = (.none, false)
            return
        }
        let depth = ColorDepth(colorCount: Int(cncurses_color_count()))
        // Without RGB the numbers of direct colours would be undefined palette indices.
        available = depth == .direct && !cncurses_has_direct_color() ? .palette : depth
        canChange = available == .palette && traits.claimsAnyColor && can_change_color()
    }

    /// Begins with no pairs in use.
    mutating func begin(deepest: ColorDepth?) {
        wanted = deepest ?? usualDeepest
        depth = min(available, wanted)
        pairs = [:]
        for index in changed { put(Theme.Color(index, bright: 0, basic: 0), at: index) }
        changed = []
        used = [:]
    }

    /// The number of the pair of two colours, `nil` for the terminal's own; 0 without colours.
    mutating func pair(_ text: Theme.Color?, _ ground: Theme.Color?) -> Int16 {
        let pair = Pair(text: number(text), ground: number(ground))
        guard depth > .none, pair.text >= 0 || pair.ground >= 0 else { return 0 }
        if let known = pairs[pair] { return known }
        let number = pairs.count + 1
        guard number < cncurses_color_pair_count() else { return 0 }
        init_extended_pair(CInt(number), pair.text, pair.ground)
        pairs[pair] = Int16(number)
        return Int16(number)
    }

    private mutating func number(_ color: Theme.Color?) -> CInt {
        guard let color, let number = color.number(at: depth) else { return -1 }
        if depth == .palette, wanted == .direct, canChange, color.palette >= 16 { return CInt(index(of: color)) }
        return CInt(number)
    }

    /// The index of exactly this colour; redefines the palette if necessary.
    private mutating func index(of color: Theme.Color) -> Int16 {
        let present = used[color.palette]
        if present == color.rgb { return color.palette }
        if present != nil, let known = used.first(where: { $0.value == color.rgb })?.key { return known }
        let index = present == nil ? color.palette : (16..<256).last { used[$0] == nil } ?? color.palette
        used[index] = color.rgb
        if index != color.palette || !color.isOfPalette {
            changed.insert(index)
            put(color, at: index)
        }
        return index
    }

    /// Redefines a colour of the palette.
    private func put(_ color: Theme.Color, at index: Int16) {
        func thousandths(_ component: UInt8) -> CInt { CInt(component) * 1000 / 255 }
        init_extended_color(
            CInt(index), thousandths(color.red), thousandths(color.green), thousandths(color.blue))
    }
}
